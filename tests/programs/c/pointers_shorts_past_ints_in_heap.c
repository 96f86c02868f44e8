#include <assert.h>
#include <stdlib.h>
struct S { int a[2]; };
int nondet_int(void);
int main(void) {
  int n = nondet_int() & 3;
  struct S *h = calloc(1, sizeof *h + 16);
  short *p = (short *)&h->a[1];
  h->a[1] = 0x30002;
  assert(p[n] == (n == 0 ? 2 : n == 1 ? 3 : 0));  //~ proved
  assert(p[n] != 0);                          //~ violated
  return 0;
}
