#include <assert.h>
#include <string.h>
struct S { int a[2]; };
struct T { struct S b[2]; };
int main(void) {
  struct T t; memset(&t, 0, sizeof t);
  unsigned char *p = (unsigned char *)t.b[1].a;
  t.b[0].a[1] = 0x01020304;
  unsigned char *q = &*(p + -3);
  assert(*q == 3);                            //~ proved
  assert(*q == 0);                            //~ violated
  return 0;
}
