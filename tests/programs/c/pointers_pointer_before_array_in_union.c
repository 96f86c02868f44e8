#include <assert.h>
#include <string.h>
union U { int *a[2]; unsigned char b[2]; };
struct S { union U a; unsigned long b[2]; };
static unsigned long *q;
int main(void) {
  struct S s; memset(&s, 0, sizeof s);
  unsigned long *p = s.b;
  q = p - 2;
  s.a.b[1] = 2;
  assert(*q == 512);                          //~ proved
  assert(*q == 0);                            //~ violated
  return 0;
}
