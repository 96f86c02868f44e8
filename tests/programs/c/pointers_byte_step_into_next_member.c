#include <assert.h>
struct S { unsigned char a[2]; unsigned short b; };
static struct S s;
int main(void) {
  unsigned char *p = &s.a[1];
  *++p = 19;
  assert(s.b == 19);                          //~ proved
  assert(s.b == 0);                           //~ violated
  return 0;
}
