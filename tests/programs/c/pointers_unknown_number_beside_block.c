// The addresses of blocks do not tell which allocation made them.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
unsigned long nondet_ulong(void);
int main(void) {
  int *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  uintptr_t t = (uintptr_t)a;
  *a = 1;
  *b = 2;
  if (nondet_ulong()) t = nondet_ulong();
  if (t == (uintptr_t)b) {
    *(int *)t = 5;
    assert(*b == 5);                          //~ proved
  }
  return 0;
}
