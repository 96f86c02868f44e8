#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
struct H { int b; long long flex[]; };
struct V { int a; long long c; };
int main(void) {
  struct H *h = calloc(1, sizeof *h + 32);
  long long *p = &h->flex[0];
  struct V *v = (struct V *)((uintptr_t)p - offsetof(struct V, c));
  *--p = 23;
  assert(v->a == 23);                         //~ proved
  assert(h->b == 23);                         //~ proved
  assert(v->a == 0);                          //~ violated
  return 0;
}
