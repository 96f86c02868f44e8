// An integer has an address, or a number that nothing is known of.
#include <assert.h>
#include <stdint.h>
static int x = 1, y = 2;
unsigned long nondet_ulong(void);
int main(void) {
  uintptr_t a = (uintptr_t)&y;
  if (nondet_ulong()) a = nondet_ulong();
  if (a == (uintptr_t)&x) {
    *(int *)a = 5;
    assert(x == 5);                           //~ proved
  }
  uintptr_t b = (uintptr_t)&x + nondet_ulong();
  if (b == (uintptr_t)&y) {
    *(int *)b = 6;
    assert(y == 6);                           //~ proved
  }
  return 0;
}
