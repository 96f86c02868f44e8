#include <assert.h>
struct S { unsigned char a; int b; };
static struct S s;
int main(void) {
  unsigned char *p = &s.a;
  assert(p[2] == 0);                          //~ proved
  assert(p[2] != 0);                          //~ violated
  return 0;
}
