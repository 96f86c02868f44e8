#include <assert.h>
#include <stdint.h>
static int x = 1;
int main(void) {
  double d = (double)(uintptr_t)&x;
  if ((uintptr_t)d == (uintptr_t)&x) {
    *(int *)(uintptr_t)d = 5;
    assert(x == 5);                           //~ proved
  }
  return 0;
}
