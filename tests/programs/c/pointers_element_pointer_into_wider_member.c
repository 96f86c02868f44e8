#include <assert.h>
struct S { int c[3]; unsigned long d; };
static struct S s;
int nd(void);
int main(void) {
  int n = nd() & 1;
  int *q = &s.c[2];
  s.d = 5;
  assert(q[2 * n] == (n ? 5 : 0));            //~ proved
  assert(q[2 * n] == 0);                      //~ violated
  return 0;
}
