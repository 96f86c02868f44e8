#include <assert.h>
struct S { int b; int c[2]; };
static struct S s;
int nondet_int(void);
int main(void) {
  int n = nondet_int() & 3;
  unsigned char *p = (unsigned char *)s.c;
  __sync_fetch_and_add(&p, -1);
  p[n] = 16;
  assert(s.b == (n == 0 ? 0x10000000 : 0));   //~ proved
  assert(s.b == 0);                           //~ violated
  return 0;
}
