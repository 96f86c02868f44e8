#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
struct S { int *a[2]; int b : 5; };
static struct S *h;
static void set(struct S *p) { p->b = 5; }
int main(void) {
  h = calloc(1, sizeof *h);
  unsigned char **p = (unsigned char **)&h->a[1];
  set((struct S *)((char *)p - (offsetof(struct S, a) + 1 * (long)sizeof *p)));
  assert(h->b == 5);                          //~ proved
  assert(h->b == 0);                          //~ violated
  return 0;
}
