#include <assert.h>
struct S { void *a; int b[3]; };
static struct S s;
int nondet_int(void);
int main(void) {
  int n = nondet_int() & 3;
  int *p = &s.b[0];
  s.b[2] = 14;
  assert(p[n] == (n == 2 ? 14 : 0));          //~ proved
  assert(p[n] == 0);                          //~ violated
  return 0;
}
