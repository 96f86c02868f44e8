#include <assert.h>
#include <stdlib.h>
struct S { int *b[2]; int c[2]; unsigned char d[2]; };
static long long word(long long *p, long k) { return *(p + k); }
int main(void) {
  struct S *h = calloc(1, sizeof *h);
  h->b[0] = (int *)h;
  h->c[1] = 3;
  long long *q = (long long *)(void *)h;
  assert(word(q, 2) == 3LL << 32);            //~ proved
  assert(word(q, 1) == 0);                    //~ proved
  assert(word(q, 2) == 0);                    //~ violated
  return 0;
}
