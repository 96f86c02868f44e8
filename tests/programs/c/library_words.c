// A word that scanf reads has a character at least, no spaces, and an end.
extern void __VERIFIER_assert(int condition);
#include <stdio.h>
#include <string.h>

int main(void) {
  char word[4] = "zzz";
  if (scanf("%3s", word) == 1) {
    __VERIFIER_assert(strlen(word) >= 1 && strlen(word) <= 3);  //~ proved
    __VERIFIER_assert(word[0] != ' ' && word[0] != '\n');  //~ proved
    __VERIFIER_assert(word[1] != 'k');  //~ violated
  }
  return 0;
}
