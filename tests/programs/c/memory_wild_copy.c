// Functions of the library may write anywhere through a pointer made of an unknown integer.
#include <assert.h>
#include <string.h>
long nondet_long(void);
static int count;
int main(void) {
  int one = 1;
  memcpy((int *)nondet_long(), &one, sizeof one); //~ unknown
  assert(count == 0);                             //~ unknown
  return 0;
}
