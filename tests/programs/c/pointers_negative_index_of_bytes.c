#include <assert.h>
struct S { long c; int d[2]; };
static struct S s;
int main(void) {
  unsigned char *p = (unsigned char *)&s.d[0];
  *p = 18;
  s.c = 0x1122334455667788;
  assert((-2)[p] == 0x22);                    //~ proved
  assert(s.d[0] == 18);                       //~ proved
  assert((-2)[p] == 0);                       //~ violated
  return 0;
}
