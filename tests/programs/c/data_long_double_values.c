// options: on_failure=continue
// The format of 80 bits, which not every solver has.
#include <assert.h>
long double input(void);

int main(void) {
  long double x = input();
  assert(1.0L + 1e-18L == 1.0L);           //~ violated
  assert(1.0L + 1e-20L == 1.0L);           //~ proved
  assert((long double)0.1 != 0.1L);        //~ proved
  unsigned long big = -1ul;
  assert((unsigned long)(long double)big == big);  //~ proved
  assert(x == x);                          //~ violated
  if (x > 1.0L) {
    assert(x * 2 > 2.0L);                  //~ proved
  }
  return 0;
}
