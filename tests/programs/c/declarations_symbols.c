// options: on_failure=continue
// What the linker makes of names: aliases, names given in assembly, and weak symbols that may be absent.
#include <assert.h>

int variable = 1;
extern int same __attribute__((alias("variable")));
extern unsigned char first_byte __attribute__((alias("variable")));
static int increment(int x) { return x + 1; }
int exported(int x) __attribute__((alias("increment")));
extern int declared __asm__("labelled");
int defined __asm__("labelled") = 4;
int magnitude(int) __asm__("abs");
extern int maybe(void) __attribute__((weak));
extern int maybe_object __attribute__((weak));
static int reference(void) __attribute__((weakref("target")));
int target(void) { return 12; }

int main(void) {
  same = 2;
  assert(variable == 2);         //~ proved
  first_byte = 7;
  assert(variable == 7);         //~ proved
  assert(exported(3) == 4 && exported == increment);  //~ proved
  declared = 5;
  assert(defined == 5);          //~ proved
  assert(magnitude(-3) == 3);    //~ proved
  assert(reference() == 12);     //~ proved
  int before = maybe != 0;
  assert(maybe != 0);            //~ violated
  assert(maybe == 0);            //~ violated
  assert((maybe != 0) == before);  //~ proved
  if (maybe) {
    assert(maybe() != 3);        //~ violated
  }
  assert(&maybe_object != 0);    //~ violated
  return 0;
}
