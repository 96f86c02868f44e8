// The index leaves the array, but not the object.
#include <assert.h>
struct S { int a[4]; int tail; };
static struct S s;
int nondet_int(void);
int main(void) {
  int i = nondet_int() & 7, k = 4;
  s.a[k] = 7;
  assert(s.tail == 7);                        //~ proved
  if (i < 5) s.a[i] = 8;
  assert(s.tail == 7);                        //~ violated
  return 0;
}
