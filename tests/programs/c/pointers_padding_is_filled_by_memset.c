#include <assert.h>
#include <string.h>
struct S { unsigned char a; int b; };
int main(void) {
  struct S s;
  memset(&s, 3, sizeof s);
  unsigned char *p = (unsigned char *)&s;
  assert(p[2] == 3);                          //~ proved
  assert(p[2] != 3);                          //~ violated
  return 0;
}
