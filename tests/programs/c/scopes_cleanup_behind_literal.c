// A jump that stays in the scope of a variable does not call its cleanup function.
#include <assert.h>
int count;
void done(int *x) { count++; }

int main(void) {
  {
    int *p = &(int){1}, i = 0;
    __attribute__((cleanup(done))) int x = *p;
  again:
    assert(count == 0);  //~ proved
    if (i++ == 0) goto again;
  }
  assert(count == 1);    //~ proved
  return 0;
}
