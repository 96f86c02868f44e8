// options: arch=ilp32 bound=1
// Nothing is claimed of executions with objects that have no room among 32-bit addresses.
#include <assert.h>
#include <stdlib.h>
extern unsigned nondet_uint(void);

int main(void) {
  unsigned n = nondet_uint();
  char *p = malloc(n);  //~ unknown
  if (n == 7) assert(p == 0);  //~ violated
  if (n > 0x80000000u) assert(p == 0);  //~ unknown
  return 0;
}
