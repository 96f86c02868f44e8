#include <assert.h>
struct S { unsigned long c[2]; unsigned long d; };
static struct S s;
int main(void) {
  unsigned long *q = &s.c[1];
  s.d = 6;
  unsigned long *old = __sync_fetch_and_add(&q, 8);
  assert(*q == 6);                            //~ proved
  assert(old == &s.c[1]);                     //~ proved
  assert(*q == 0);                            //~ violated
  return 0;
}
