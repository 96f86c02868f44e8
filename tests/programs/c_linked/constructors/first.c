// Constructors of several files: those with a priority first.
#include <assert.h>
int state;
__attribute__((constructor)) static void begin(void) {
  assert(state == 2);  //~ proved
  state = 1;
}
int main(void) {
  assert(state == 1);  //~ proved
  assert(state == 0);  //~ violated
  return 0;
}
