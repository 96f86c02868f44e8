// The value of x.f-- where gcc, which promotes it to int as it does x.f, and clang, which does not, disagree.
#include <assert.h>
struct { unsigned f : 13; } x;
extern int __VERIFIER_nondet_int(void);

int main(void) {
  x.f = 5;
  int input = __VERIFIER_nondet_int();
  if (input == 1)
    assert(x.f-- / -1 == -5);            //~ unknown unknown
  else if (input == 2)
    assert((long)(x.f-- - 6) == -1);     //~ unknown unknown
  else if (input == 3)
    assert((long)-(x.f++) == -5);        //~ unknown unknown
  else if (input == 4)
    assert((x.f++ << 1) / -1 == -10);    //~ unknown unknown
  else if (input == 5)
    assert((input ? x.f++ : -1) / -1 == -5);    //~ unknown unknown
  return 0;
}
