// A function that another one chooses when the program starts.
#include <assert.h>
int chosen(void) __attribute__((ifunc("choose")));

int main(void) {
  int x = chosen();  //~ unknown
  assert(x == 1);    //~ unknown
  return 0;
}
