#include <alloca.h>
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = alloca(2 * sizeof *p);
  p[1] = 5;
  assert(p[1] == 5);                          //~ proved
  return 0;
}
