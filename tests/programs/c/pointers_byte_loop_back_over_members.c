#include <assert.h>
#include <string.h>
struct S { int a; int b[2]; };
int main(void) {
  struct S s; memset(&s, 0, sizeof s);
  signed char *p = (signed char *)&s.b[0];
  for (int i = 2; i > 0; i--) *p-- = i;
  assert(s.a == 0x01000000);                  //~ proved
  assert(s.b[0] == 2);                        //~ proved
  assert(s.a == 0);                           //~ violated
  return 0;
}
