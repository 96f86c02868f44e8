#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
struct S { uintptr_t a; long b[2]; unsigned int c[3]; long flex[]; };
struct T { uintptr_t a; unsigned long b; int c[4]; };
static struct T *q;
int main(void) {
  struct S *h = calloc(1, sizeof *h + 32);
  h->c[2] ^= 21;
  h->c[1] = 22;
  q = (struct T *)((uintptr_t)h - offsetof(struct T, a));
  assert(h->c[2] == 21);                      //~ proved
  assert(q->c[0] == 0);                       //~ proved
  assert(h->c[2] != 21);                      //~ violated
  return 0;
}
