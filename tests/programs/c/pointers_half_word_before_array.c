#include <assert.h>
struct S { int c[2][2]; int d[2]; };
static struct S s;
int nondet_int(void);
int main(void) {
  int n = nondet_int() & 3;
  short *p = (short *)s.d;
  *--p = 22;
  if (n > 0) *p = 23;
  assert(s.c[1][1] == (n == 0 ? 22 << 16 : 23 << 16));  //~ proved
  assert(s.c[1][1] == 0);                     //~ violated
  return 0;
}
