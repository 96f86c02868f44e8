#include <assert.h>
struct S { int a[2][3]; int b[2]; };
static struct S s;
static int *q;
int main(void) {
  q = &s.a[1][2];
  s.b[1] = 7;
  assert(q[2] == 7);                          //~ proved
  assert(q[1] == 0);                          //~ proved
  assert(q[2] == 0);                          //~ violated
  return 0;
}
