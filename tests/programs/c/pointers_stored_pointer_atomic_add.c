#include <assert.h>
#include <stdlib.h>
struct S { int *c; int *d[2]; int e[2]; };
static struct S *h;
int main(void) {
  h = calloc(1, sizeof *h);
  h->d[1] = (int *)(void *)h;
  h->e[0] = 5;
  int *p = h->d[1];
  __sync_fetch_and_add(&p, sizeof(int *) * 3);
  assert(*p == 5);                            //~ proved
  assert(*p == 0);                            //~ violated
  return 0;
}
