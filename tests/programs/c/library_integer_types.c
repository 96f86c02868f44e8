// stdint.h as glibc has it: the fast types of 16 and 32 bits are words, and the macros for constants give the types that
// they are named after.
#include <assert.h>
#include <stdint.h>

int main(void) {
  uint_fast16_t count = 65535;
  uint_fast32_t sum = UINT32_MAX;
  count++;
  sum++;
  assert(count == 65536);  //~ proved
  assert(sizeof(int_fast16_t) == sizeof(void *) && sizeof(int_fast8_t) == 1);  //~ proved
  assert(INT_FAST32_MAX == INTPTR_MAX);  //~ proved
  assert(_Generic(INT64_C(5), int64_t : 1, default : 0));  //~ proved
  assert(_Generic(UINTMAX_C(5), uintmax_t : 1, default : 0));  //~ proved
  assert(SIG_ATOMIC_MIN == INT32_MIN);  //~ proved
  assert(sum == 0);  //~ violated
  return 0;
}
