#include <assert.h>
#include <stdlib.h>
union U { int b[2]; int c[2][3]; };
static signed char *q;
static union U *at(signed char *p, int k) { return (union U *)((unsigned char *)p + 4 * k); }
int main(void) {
  union U *u = calloc(1, sizeof *u), *v = calloc(3, sizeof *v);
  q = (signed char *)v[0].b;
  v[1].c[1][2] = 3;
  *u = *at(q, 6);
  assert(u->c[1][2] == 3);                    //~ proved
  assert(u->c[1][2] == 0);                    //~ violated
  return 0;
}
