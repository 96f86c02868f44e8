// options: check=memory
// What functions of the library do to memory.
extern int nondet_int(void);
#include <stdlib.h>
#include <string.h>

int main(void) {
  char text[8], word[4];
  memset(text, 0, sizeof text);
  strcpy(word, "abc");
  char *copy = 0;
  switch (nondet_int()) {
  case 0:
    memset(text, 0, 9);  //~ violated
    break;
  case 1:
    memcpy(text, word, 5);  //~ violated
    break;
  case 2:
    strcpy(word, "abcd");  //~ violated
    break;
  case 3:
    copy = calloc(2, 3);
    copy[5] = 1;  //~ proved proved proved
    copy = realloc(copy, 8);  //~ proved proved
    copy[7] = 1;  //~ proved proved proved
    free(copy);  //~ proved proved
    break;
  case 4:
    copy = malloc(3);
    memcpy(copy, text, 3);  //~ proved proved proved
    break;
  }
  return 0;
}  //~ violated
