// Texts in arrays whose lengths are known: no loop is needed.
extern void __VERIFIER_assert(int condition);
#include <string.h>
#include <strings.h>

int main(void) {
  char name[16] = "remuda";
  __VERIFIER_assert(strlen(name) == 6);  //~ proved
  __VERIFIER_assert(strlen("four") == 4 && strnlen(name, 4) == 4);  //~ proved
  __VERIFIER_assert(strcmp(name, "remuda") == 0);  //~ proved
  __VERIFIER_assert(strcmp(name, "remude") < 0 && strcmp("remude", name) > 0);  //~ proved
  __VERIFIER_assert(strncmp(name, "remote", 3) == 0 && strncmp(name, "remote", 4) != 0);  //~ proved
  __VERIFIER_assert(strcasecmp(name, "ReMuDa") == 0);  //~ proved

  char copy[16];
  strcpy(copy, name);
  __VERIFIER_assert(strcmp(copy, name) == 0);  //~ proved
  strcat(copy, "!");
  __VERIFIER_assert(strcmp(copy, "remuda!") == 0);  //~ proved
  strncat(copy, "abcdef", 2);
  __VERIFIER_assert(strcmp(copy, "remuda!ab") == 0);  //~ proved
  strncpy(copy, "xy", 5);
  __VERIFIER_assert(copy[1] == 'y' && copy[2] == 0 && copy[4] == 0 && copy[5] == 'a');  //~ proved
  return 0;
}
