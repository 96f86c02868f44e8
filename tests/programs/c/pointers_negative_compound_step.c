#include <assert.h>
struct S { int a; int b[2]; };
static struct S s;
int main(void) {
  int *p = &s.b[0];
  s.a = 8;
  p += -1;
  assert(*p == 8);                            //~ proved
  assert(*p == 0);                            //~ violated
  return 0;
}
