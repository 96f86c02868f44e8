// Bytes of a union behind the member that is initialised are open if it is automatic.
#include <assert.h>

union views { char first; int whole; };
struct holder { int before; union views views; };
union views zero;

int main(void) {
  union views small = {1};
  assert(small.first == 1);  //~ proved
  assert(small.whole == 1);  //~ violated
  union views large = {.whole = 258};
  assert(large.first == 2);  //~ proved
  struct holder inside = {1, {2}};
  assert(inside.views.first == 2);  //~ proved
  assert(inside.views.whole == 2);  //~ violated
  struct holder rest = {1};
  assert(rest.views.whole == 0);  //~ proved
  assert(zero.whole == 0);  //~ proved
  return 0;
}
