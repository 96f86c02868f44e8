// Numbers that are read from texts, and where they end.
extern void __VERIFIER_assert(int condition);
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

extern int nondet_int(void);

int main(void) {
  char *end;
  __VERIFIER_assert(strtol("-7x", &end, 10) == -7 && *end == 'x');  //~ proved
  __VERIFIER_assert(strtol(" 0x1g", &end, 0) == 1 && *end == 'g');  //~ proved
  __VERIFIER_assert(strtoul("none", &end, 10) == 0 && *end == 'n');  //~ proved
  __VERIFIER_assert(strtol("99999999999999999999", NULL, 10) == LONG_MAX);  //~ proved
  __VERIFIER_assert(strtoul("-1", NULL, 10) == ULONG_MAX);  //~ proved
  char **perhaps = nondet_int() ? &end : NULL;
  __VERIFIER_assert(strtol("12 ", perhaps, 10) == 12 && (perhaps == NULL || *end == ' '));  //~ proved
  char line[8];
  if (fgets(line, sizeof line, stdin) != NULL) {
    long value = strtol(line, &end, 10);
    __VERIFIER_assert(end >= line && end < line + sizeof line);  //~ proved
    __VERIFIER_assert(value != 7);  //~ unknown
  }
  __VERIFIER_assert(nondet_int() != 3);  //~ violated
  return 0;
}
