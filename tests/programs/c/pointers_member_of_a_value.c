// Pointers in records that are values, and no objects.
#include <assert.h>
struct S { int *p; int *q[2]; };
static int x = 1, y = 2;
int nondet_int(void);
static struct S make(int *a) {
  struct S s = {a, {&y, a}};
  return s;
}
int main(void) {
  struct S a = {&x}, b = {&y};
  int c = nondet_int() > 0;
  *(c ? a : b).p = 5;
  assert(c ? x == 5 : y == 5);                //~ proved
  *make(&x).q[c] = 6;
  assert(c ? x == 6 : y == 6);                //~ proved
  assert(x == 6);                             //~ violated
  return 0;
}
