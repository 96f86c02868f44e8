// Ranges that are too long to be written cell by cell.
extern void __VERIFIER_assert(int condition);
#include <string.h>

extern unsigned nondet_uint(void);
static int table[1000], backup[1000];

int main(void) {
  unsigned index = nondet_uint() % 1000;
  table[index] = 7;
  memcpy(backup, table, sizeof table);
  __VERIFIER_assert(backup[index] == 7);  //~ proved
  memset(table, 0, sizeof table);
  __VERIFIER_assert(table[index] == 0);  //~ proved
  __VERIFIER_assert(backup[index] == 7);  //~ proved
  return 0;
}
