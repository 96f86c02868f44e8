// options: check=bounds
// Functions of the library that read behind the end of an array, because a text in it has no end.
#include <string.h>
#include <stdlib.h>
extern unsigned nondet_uint(void);

int main(void) {
  char open[4] = {1, 1, 1, 1};
  char closed[4] = {1, 1, 1, 0};
  unsigned i = nondet_uint();
  if (i > 3) return 0;
  if (memchr(closed, 1, 4 + i) == 0) return 1;  //~ proved
  switch (nondet_uint()) {
    case 0: return strcmp(closed + i, "\1\1\1\1\1");  //~ proved proved
    case 1: return strcmp(open + i, "\1\1\1\1\1");  //~ proved violated
    case 2: return strchr(closed + i, 7) == 0;  //~ proved proved
    case 3: return strchr(open + i, 7) == 0;  //~ proved violated
    case 4: return memchr(open, 0, i + 2) == 0;  //~ violated
    case 5: return strnlen(open, i + 2);  //~ violated
  }
  return 0;
}
