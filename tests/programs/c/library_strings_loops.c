// options: bound=6
// Texts of which only a pointer is known: functions of the library are loops.
extern void __VERIFIER_assert(int condition);
#include <string.h>

static char buffer[8];

static unsigned long measure(const char *text) { return strlen(text); }

static void copy(char *target, const char *source) { strcpy(target, source); }

int main(void) {
  __VERIFIER_assert(measure("abc") == 3);  //~ proved
  copy(buffer, "xyz");
  __VERIFIER_assert(buffer[2] == 'z' && buffer[3] == 0);  //~ proved
  char *text = buffer;
  __VERIFIER_assert(strchr(text, 'y') == buffer + 1);  //~ proved
  __VERIFIER_assert(strcmp(text, text + 1) < 0);  //~ proved
  __VERIFIER_assert(strrchr(text, 'y') == buffer + 2);  //~ violated
  return 0;
}
