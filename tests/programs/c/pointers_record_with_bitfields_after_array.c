#include <assert.h>
struct B { int a : 7; };
struct S { struct B a[2]; struct B c; };
static struct S s;
static struct B *q;
int main(void) {
  q = &s.a[0];
  s.c.a = 9;
  s.a[1] = q[2];
  assert(s.a[1].a == 9);                      //~ proved
  assert(s.a[1].a == 0);                      //~ violated
  return 0;
}
