// A definition that is only for inlining does not count where the function is defined once more.
#include <assert.h>
extern inline __attribute__((gnu_inline)) int size(void) { return 7; }
int early(void) { return size(); }
int size(void) { return 8; }
inline int twice(int x) { return 2 * x; }
extern int twice(int);

int main(void) {
  assert(size() == 8 && early() == 8);   //~ proved
  assert(twice(2) == 4);                 //~ proved
  assert(size() == 7);                   //~ violated
  return 0;
}
