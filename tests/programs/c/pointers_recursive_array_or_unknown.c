// options: check=leak bound=3
// A pointer leaves the array of an automatic object of a recursive call; it may also come from outside.
#include <assert.h>
int nondet_int(void);
void *nondet_pointer(void);
struct S { int head; int a[3]; };
static int f(int *p, int depth) {
  struct S s = {10};
  if (depth == 0) {
    p[nondet_int() ? -1 : 1] = 99;
    return 0;
  }
  f(nondet_int() ? s.a : (int *)nondet_pointer(), depth - 1);
  return s.head;
}
int main(void) {
  assert(f(0, 1) == 10);                      //~ violated
  return 0;
}                                             //~ proved
