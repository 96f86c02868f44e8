#include <assert.h>
struct S { int a; int b[2]; };
static struct S s;
int main(void) {
  unsigned char *p = (unsigned char *)&s.b[0];
  *--p = 19;
  assert(s.a == 0x13000000);                  //~ proved
  assert(s.a == 0);                           //~ violated
  return 0;
}
