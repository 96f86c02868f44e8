#include <assert.h>
struct S { int c[3]; unsigned long d; };
static struct S s;
int nondet_int(void);
int main(void) {
  int n = nondet_int() & 1;
  int *q = &s.c[2];
  s.d = 5;
  assert(q[2 * n] == (n ? 5 : 0));            //~ proved
  assert(q[2 * n] == 0);                      //~ violated
  return 0;
}
