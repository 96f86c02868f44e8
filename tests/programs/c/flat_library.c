// options: memory_model=flat
// What the library keeps for itself is none of the program's objects.
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
void __VERIFIER_assert(int condition);
int nondet_int(void);

static int number = 1;

int main(void) {
  int *pointer = &number;
  errno = 0;
  char *value = getenv("HOME");
  if (value) value[0] = 0;
  FILE *file = fopen("file", "r");
  if (isalpha(nondet_int() & 127)) number = 2;
  __VERIFIER_assert(*pointer == 1 || *pointer == 2);  //~ proved
  __VERIFIER_assert(*pointer == 1);                   //~ violated
  __VERIFIER_assert(file != (void *)pointer);         //~ proved
  __VERIFIER_assert(file != 0);                       //~ violated
  return 0;
}
