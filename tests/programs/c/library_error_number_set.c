// What strtol leaves in errno is not what was there before.
#include <errno.h>
#include <stdlib.h>
void __VERIFIER_assert(int condition);

int main(void) {
  errno = 0;
  strtol("99999999999999999999", 0, 10);
  __VERIFIER_assert(errno == ERANGE);  //~ unknown
  return 0;
}
