// Blocks of memory.
extern void __VERIFIER_assert(int condition);
#include <stdlib.h>
#include <string.h>

int main(void) {
  int *numbers = calloc(8, sizeof(int));
  __VERIFIER_assert(numbers[0] == 0 && numbers[7] == 0);  //~ proved
  numbers[3] = 42;

  int copy[8];
  memcpy(copy, numbers, sizeof copy);
  __VERIFIER_assert(copy[3] == 42 && copy[4] == 0);  //~ proved
  memset(copy, 1, 4 * sizeof(int));
  __VERIFIER_assert(copy[3] == 0x01010101 && copy[4] == 0);  //~ proved
  memset(copy, -1, sizeof copy);
  __VERIFIER_assert(copy[7] == -1);  //~ proved
  __VERIFIER_assert(numbers[7] == 0);  //~ proved

  numbers = realloc(numbers, 16 * sizeof(int));
  __VERIFIER_assert(numbers[3] == 42 && numbers[2] == 0);  //~ proved
  numbers[15] = 1;
  __VERIFIER_assert(numbers[15] == 1);  //~ proved

  int shifted[6] = {1, 2, 3, 4, 5, 6};
  memmove(shifted + 1, shifted, 5 * sizeof(int));
  __VERIFIER_assert(shifted[0] == 1 && shifted[1] == 1 && shifted[5] == 5);  //~ proved
  double floats[4];
  memset(floats, 0, sizeof floats);
  __VERIFIER_assert(floats[2] == 0.0);  //~ proved
  free(numbers);
  return 0;
}
