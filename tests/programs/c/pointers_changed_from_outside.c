// Pointers that somebody else may have changed.
#include <assert.h>
static int x = 1, y = 2;
int *volatile changing = &y;
extern int *elsewhere;
struct S { int *p; };
void __VERIFIER_nondet_memory(void *, unsigned long);
void *nondet_pointer(void);
int nondet_int(void);
static int *known(void) { return &y; }
int main(void) {
  if (nondet_int()) elsewhere = &y;
  if (elsewhere == &x) {
    *elsewhere = 3;
    assert(x == 3);                           //~ proved
  }
  int *p = &y;
  __asm__("" : "=r"(p));
  if (p == &x) {
    *p = 4;
    assert(x == 4);                           //~ proved
  }
  struct S s = {&y};
  __VERIFIER_nondet_memory(&s, sizeof s);
  if (s.p == &x) {
    *s.p = 5;
    assert(x == 5);                           //~ proved
  }
  int *(*f)(void) = nondet_pointer();
  if (nondet_int()) f = known;
  p = f();
  if (p == &x) {
    *p = 6;
    assert(x == 6);                           //~ proved
  }
  p = changing;
  if (p == &x) {
    *p = 7;
    assert(x == 7);                           //~ proved
  }
  return 0;
}
