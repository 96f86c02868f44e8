// Allocations that no block can be large enough for return a null pointer, and no execution is cut off.
#include <assert.h>
#include <stdlib.h>
extern size_t nondet_size(void);

static void any_size(void) {
  size_t n = nondet_size();
  char *p = malloc(n);
  if (n == (size_t)-2) assert(0);  //~ violated
  if (n == (size_t)-3) assert(p == 0);  //~ proved
  if (n == 4) assert(p != 0);  //~ proved
  if (n == 0) assert(p != 0);  //~ violated
  free(p);
}

static void products(void) {
  assert(calloc((size_t)1 << 63, 2) == 0);  //~ proved
  int *few = calloc(3, sizeof *few);
  assert(few != 0 && few[2] == 0);  //~ proved
}

static void kept(void) {
  int *old = malloc(sizeof *old);
  *old = 7;
  assert(realloc(old, (size_t)-1) == 0);  //~ proved
  assert(*old == 7);  //~ proved
  int *larger = realloc(old, 2 * sizeof *old);
  assert(larger[0] == 7);  //~ proved
  assert(larger[1] == 7);  //~ violated
}

static void aligned(void) {
  int x;
  void *p = &x;
  assert(posix_memalign(&p, 16, (size_t)-5) != 0);  //~ proved
  assert(p == &x);  //~ proved
  assert(posix_memalign(&p, 16, 5) == 0);  //~ proved
  assert(p != &x);  //~ proved
}

int main(void) {
  any_size();
  products();
  kept();
  aligned();
  return 0;
}
