// The value of x.f++ where gcc, which promotes it to int as it does x.f, and clang, which does not, agree.
#include <assert.h>
struct { unsigned f : 13; unsigned whole : 32; int s : 5; } x;

int main(void) {
  x.f = 5;
  assert(x.f-- == 5 && x.f == 4);        //~ proved
  assert(x.f++ > 3 && x.f == 5);         //~ proved
  assert(--x.f / -1 == -4);              //~ proved
  assert(x.f++ / 3u == 1);               //~ proved
  assert(x.f-- + 0L == 5);               //~ proved
  assert(!x.f-- == 0);                   //~ proved
  x.s = -2;
  assert(x.s++ / 2 == -1);               //~ proved
  x.whole = 7;
  assert(x.whole-- / -1 == 0);           //~ proved
  return 0;
}
