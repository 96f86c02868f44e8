#include <assert.h>
struct S { signed char a[4]; int b; };
static struct S s;
static signed char *q;
static int read_at(signed char *p) { return *p; }
int main(void) {
  q = &s.a[3];
  s.b = 4;
  *q++ = 19;
  assert(read_at(q) == 4);                    //~ proved
  assert(read_at(q) == 0);                    //~ violated
  return 0;
}
