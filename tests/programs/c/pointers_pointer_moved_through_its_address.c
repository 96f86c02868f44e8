#include <assert.h>
struct S { unsigned a; unsigned b[3]; };
static struct S s;
int nondet_int(void);
int main(void) {
  int n = nondet_int() & 3;
  unsigned *p = &s.a;
  s.b[1] = 4;
  if (n > 0) { unsigned **pp = &p; *pp += n; }
  assert(*p == (n == 2 ? 4 : 0));             //~ proved
  assert(*p == 0);                            //~ violated
  return 0;
}
