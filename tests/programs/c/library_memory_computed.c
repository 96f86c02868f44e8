// Ranges whose length is computed.
extern void __VERIFIER_assert(int condition);
#include <stdlib.h>
#include <string.h>

extern unsigned nondet_uint(void);

int main(void) {
  unsigned count = nondet_uint() % 100 + 1;
  int *zeros = calloc(count, sizeof(int));
  unsigned at = nondet_uint() % count;
  __VERIFIER_assert(zeros[at] == 0);  //~ proved
  zeros[at] = 3;
  int *more = malloc(count * sizeof(int));
  memcpy(more, zeros, count * sizeof(int));
  __VERIFIER_assert(more[at] == 3);  //~ proved
  memset(more, 0, at * sizeof(int));
  __VERIFIER_assert(more[at] == 3);  //~ proved
  __VERIFIER_assert(at == 0 || more[0] == 0);  //~ proved
  free(zeros);
  free(more);
  return 0;
}
