// A function that works on memory of any type.
extern void __VERIFIER_assert(int condition);
#include <string.h>

struct pair {
  int first;
  long second;
};

static void fill(void *where, int byte, unsigned long size) { memset(where, byte, size); }

int main(void) {
  struct pair here = {1, 2}, there = {3, 4};
  fill(&here, 0, sizeof here);
  __VERIFIER_assert(here.first == 0 && here.second == 0);  //~ proved
  __VERIFIER_assert(there.second == 4);  //~ proved
  short numbers[4] = {1, 2, 3, 4};
  fill(numbers, 0xFF, 3 * sizeof numbers[0]);
  __VERIFIER_assert(numbers[2] == -1 && numbers[3] == 4);  //~ proved
  return 0;
}
