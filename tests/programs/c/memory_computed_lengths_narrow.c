// options: arch=ilp32
// Arrays of computed length on a machine with short addresses: those that have no room on a stack are left out.
#include <assert.h>
extern unsigned nondet_uint(void);

int main(void) {
  unsigned n = nondet_uint();
  if (n == 0) return 0;
  int a[n];
  a[n / 2] = 3;
  a[n - 1] = 4;
  assert(a[n / 2] == (n / 2 == n - 1 ? 4 : 3));  //~ proved
  assert(n < 5000000);                           //~ proved
  if (n > 300000) return 0;
  assert(n < 200000);                            //~ violated
  return 0;
}
