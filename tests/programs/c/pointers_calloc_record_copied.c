#include <assert.h>
#include <stdlib.h>
struct S { signed char a[3]; unsigned char b[2]; };
static struct S *h, o;
int main(void) {
  h = calloc(1, sizeof *h);
  o = *h;
  assert(o.b[1] == 0);                        //~ proved
  assert(o.b[1] != 0);                        //~ violated
  return 0;
}
