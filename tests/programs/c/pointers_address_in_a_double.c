// Nothing is known of a pointer that is made of a float, and nothing is claimed of what is done through it.
#include <assert.h>
#include <stdint.h>
static int x = 1;
int main(void) {
  double d = (double)(uintptr_t)&x;
  *(int *)(uintptr_t)d = 5; //~ unknown
  assert(x == 1);           //~ unknown
  return 0;
}
