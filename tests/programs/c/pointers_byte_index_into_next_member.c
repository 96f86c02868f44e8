#include <assert.h>
#include <stdlib.h>
struct S { unsigned short a[2]; int b[2]; };
static struct S *h;
static unsigned char *q;
static unsigned short *member(struct S *p) { return p->a; }
static unsigned char *bytes(unsigned short *p) { return (unsigned char *)p; }
int main(void) {
  h = calloc(1, sizeof *h);
  q = bytes(member(h));
  *q++ = 25;
  q[3] = 27;
  assert(h->b[0] == 27);                      //~ proved
  assert(h->a[0] == 25);                      //~ proved
  assert(h->b[0] == 0);                       //~ violated
  return 0;
}
