// A pointer goes byte by byte through an array of one byte and through a larger object.
#include <assert.h>
static char c[1];
static long l;
unsigned nondet_uint(void);
int main(void) {
  void *p = nondet_uint() ? (void *)c : (void *)&l;
  char *q = p;
  q += nondet_uint() & 7;
  if (p == &l) {
    *(long *)p = 5;
    assert(l == 5);                           //~ proved
    *q = 6;
    assert(l == 5);                           //~ violated
  }
  return 0;
}
