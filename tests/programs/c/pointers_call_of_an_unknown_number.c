#include <assert.h>
#include <stdint.h>
static int x = 1;
static void f(void) { x = 5; }
static void g(void) { x = 6; }
unsigned long nondet_ulong(void);
int main(void) {
  uintptr_t t = (uintptr_t)g;
  if (nondet_ulong()) t = nondet_ulong();
  if (t == (uintptr_t)f) {
    ((void (*)(void))t)();
    assert(x == 5);                           //~ proved
  }
  return 0;
}
