#include <assert.h>
#include <stdlib.h>
struct S { long b[2]; };
static long *q;
int main(void) {
  struct S *h = calloc(2, sizeof *h);
  q = &h->b[0];
  h[1].b[1] = 6;
  assert(3[q] == 6);                          //~ proved
  assert(3[q] == 0);                          //~ violated
  return 0;
}
