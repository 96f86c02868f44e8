// options: check=pointer
// String literals must not be written.
#include <string.h>
int nondet_int(void);
static char array[] = "abc";
static void set(char *p) { p[0] = 'x'; }  //~ proved proved violated

int main(void) {
  char *text = "abc", *either = nondet_int() ? array : "def";
  switch (nondet_int()) {
    case 0: set(array); set(text); break;
    case 1: memset(either, 0, 2); break;              //~ proved proved violated
    case 2: strcpy(either, text); break;              //~ proved proved proved proved violated
    case 3: if (either == array) either[1] = 'y'; break;  //~ proved proved proved
    case 4: array[1] = text[1]; break;                //~ proved proved
    case 5: "abc"[1] = 'x'; break;                    //~ violated
  }
  return 0;
}
