/* Which of these assertions imply which?  Modelled on Fig. 1 of
 * "Symbolic Detection of Assertion Dependencies for Bounded Model Checking".
 *
 *   remuda implications --integers math --scope program --bound 2 examples/implications.c
 *   remuda show ussa --integers math --bound 2 examples/implications.c
 */
#include <assert.h>

extern int some_value(void);

int f(int a, int b) {
  int i = 0;
  while (i < a + b) {
    if (i < a) {
      i = i + a;
    } else {
      i = i + b;
    }
  }
  assert(i >= a + b);
  return i;
}

int main(void) {
  int x, y, z;
  x = some_value();
  y = some_value();
  if (x >= y) {
    if (y >= 0) {
      assert(x >= 0);
      z = x + y;
      assert(z >= 0);
    }
  }
  x = some_value();
  y = some_value();
  z = f(x, y);
  assert(z >= 0);
  assert(z >= x + y);
  assert(x <= z - y);
  return 0;
}
