// An operation of the compiler without a model.
#include <assert.h>

int main(void) {
  unsigned x = __builtin_ia32_crc32qi(1, 2);  //~ unknown
  assert(x == 0);                             //~ unknown
  return 0;
}
