#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct S { int a[2][2]; int b[2][2]; };
union U { int a[4]; };
static struct S *h;
static void set(union U *p) { p->a[3] |= 25; }
int main(void) {
  union U *u = calloc(2, sizeof *u);
  h = calloc(1, sizeof *h);
  set(mempcpy(h, u, 16));
  assert(h->b[1][1] == 25);                   //~ proved
  assert(h->b[1][1] == 0);                    //~ violated
  return 0;
}
