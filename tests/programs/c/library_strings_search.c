// What is found in texts.
extern void __VERIFIER_assert(int condition);
#include <stdlib.h>
#include <string.h>

int main(void) {
  char name[16] = "remuda";
  __VERIFIER_assert(strchr(name, 'm') == name + 2 && strchr(name, 'z') == 0);  //~ proved
  __VERIFIER_assert(strchr(name, 0) == name + 6);  //~ proved
  char *last = strrchr(name, 'a');
  __VERIFIER_assert(last == name + 5 && strrchr(name, 'x') == 0);  //~ proved
  __VERIFIER_assert(strstr(name, "mud") == name + 2 && strstr(name, "mut") == 0);  //~ proved
  __VERIFIER_assert(strspn(name, "emr") == 3 && strcspn(name, "du") == 3);  //~ proved
  __VERIFIER_assert(strpbrk(name, "xyu") == name + 3);  //~ proved

  char *twin = strdup(name);
  twin[0] = 'R';
  __VERIFIER_assert(strcmp(twin, "Remuda") == 0 && name[0] == 'r');  //~ proved
  char *half = strndup(name, 3);
  __VERIFIER_assert(strcmp(half, "rem") == 0);  //~ proved
  free(twin);
  free(half);
  return 0;
}
