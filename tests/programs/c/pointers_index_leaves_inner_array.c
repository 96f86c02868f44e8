#include <assert.h>
struct S { short a[2]; int b; };
struct T { struct S a; };
static struct T t[2];
static short *q;
int nondet_int(void);
int main(void) {
  int n = nondet_int() & 3;
  q = &t[1].a.a[0];
  t[1].a.b = 0x50004;
  assert(q[n] == (n == 2 ? 4 : n == 3 ? 5 : 0));  //~ proved
  assert(q[n] == 0);                          //~ violated
  return 0;
}
