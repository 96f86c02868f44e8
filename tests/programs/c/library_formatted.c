// options: check=bounds
// Texts that sprintf makes: of constants they are known, of other numbers their lengths are.
extern void __VERIFIER_assert(int condition);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int nondet_int(void);
extern unsigned nondet_uint(void);

int main(void) {
  char text[24];
  __VERIFIER_assert(snprintf(text, sizeof text, "%d", 42) == 2);  //~ proved
  __VERIFIER_assert(strcmp(text, "42") == 0);  //~ proved
  __VERIFIER_assert(sprintf(text, "%c-%05d|%-3u|%+d%%", 'a', -42, 7u, 3) == 15);  //~ proved
  __VERIFIER_assert(strcmp(text, "a--0042|7  |+3%") == 0);  //~ proved
  __VERIFIER_assert(snprintf(text, 3, "%s", "hello") == 5 && strcmp(text, "he") == 0);  //~ proved
  unsigned room = nondet_uint() % 5;
  char cut[4] = {'x', 'x', 'x', 'x'};
  int made = snprintf(cut, room, "ab");  //~ proved
  __VERIFIER_assert(made == 2);  //~ proved
  __VERIFIER_assert(cut[0] == (room == 0 ? 'x' : room == 1 ? 0 : 'a') && cut[3] == 'x');  //~ proved
  int number = nondet_int();
  char digits[12];
  int length = sprintf(digits, "%d", number);  //~ proved
  __VERIFIER_assert(length <= 11 && (number < 0 || length <= 10));  //~ proved
  __VERIFIER_assert(number != -100 || length == 4);  //~ proved
  char few[11];
  if (nondet_int()) {
    sprintf(few, "%d", number);  //~ violated
  } else if (nondet_int()) {
    sprintf(few, "%s %d", "number", 1234);  //~ violated
  }
  return 0;
}
