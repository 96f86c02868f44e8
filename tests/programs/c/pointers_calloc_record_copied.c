#include <assert.h>
#include <stdlib.h>
struct S { signed char a[2][3]; unsigned char b[2]; };
struct R { signed char a; unsigned char b; unsigned char *c; short d; };
static struct S *h, o;
static _Alignas(16) unsigned char arena[64];
static unsigned char *top = arena + 64;
static void *take(unsigned n) { top -= n; return top; }
int nondet_int(void);
int main(void) {
  int n = nondet_int() & 3;
  h = calloc(1, sizeof *h);
  struct R *p = take(24);
  struct S *s = take(8);
  o = *h;
  p->c = (unsigned char *)p;
  (s + n)->b[0] = 25;
  assert(o.b[1] == 0);                        //~ proved
  assert(h->a[1][1] == 0);                    //~ proved
  assert(o.b[1] != 0);                        //~ violated
  return 0;
}
