// options: check=bounds integers=math
// A negative size is too large, also among mathematical integers.
#include <string.h>
extern int nondet_int(void);

int main(void) {
  char target[8], source[8] = {0};
  int n = nondet_int();
  if (n < 0) memcpy(target, source, n);  //~ violated
  if (n >= 0 && n <= 8) memcpy(target, source, n);  //~ proved
  return 0;
}
