#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct S { short a[4]; int b; int c[3]; };
struct T { int a[2]; int b; int c[2]; unsigned char d[2][3]; };
static struct S *h;
int main(void) {
  h = calloc(1, sizeof *h + 16);
  struct T *p = memmove(h, h, sizeof *h);
  h->c[2] = 0x0403;
  assert(p->d[0][1] == 4);                    //~ proved
  assert(p->d[1][1] == 0);                    //~ proved
  assert(p->d[0][1] == 0);                    //~ violated
  return 0;
}
