#include <assert.h>
#include <string.h>
struct S { short a[3]; unsigned short b[2][2]; };
int main(void) {
  struct S s; memset(&s, 0, sizeof s);
  unsigned short *p = s.b[0];
  p += (6 - 9);
  *p = 19;
  assert(s.a[0] == 19);                       //~ proved
  assert(s.a[0] == 0);                        //~ violated
  return 0;
}
