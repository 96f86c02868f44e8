#include <assert.h>
struct S { int a[2]; };
static struct S s[2];
static int *q;
static int before(int *p) { return *(p + -2); }
int main(void) {
  q = &s[1].a[0];
  s[0].a[0] = 4;
  assert(before(q) == 4);                     //~ proved
  assert(before(q) == 0);                     //~ violated
  return 0;
}
