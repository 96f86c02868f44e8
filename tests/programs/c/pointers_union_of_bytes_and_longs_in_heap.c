#include <assert.h>
#include <stdlib.h>
union U { signed char a[2][2]; long b[2]; };
int main(void) {
  union U *h = calloc(1, sizeof *h);
  assert(h->a[1][1] == 0);                    //~ proved
  assert(h->b[1] == 0);                       //~ proved
  h->a[1][1] = 1;
  assert(h->b[0] == 0x1000000);               //~ proved
  assert(h->b[0] == 0);                       //~ violated
  return 0;
}
