// Aliases that another file uses, names given in assembly, and weak definitions that a strong one replaces.
#include <assert.h>

int variable = 1;
extern int same __attribute__((alias("variable")));
static int increment(int x) { return x + 1; }
int exported(int x) __attribute__((alias("increment")));
int label(void) __asm__("real_name");
int other(void);
int other_call(int);
__attribute__((weak)) int replaced(void) { return 1; }
__attribute__((weak)) int kept(void) { return 1; }
int initialised __attribute__((weak)) = 10;
int tentative __attribute__((weak)) = 10;
static int hidden(void) { return 1; }

int main(void) {
  variable = 7;
  assert(other() == 7);       //~ proved
  assert(other_call(4) == 5); //~ proved
  assert(label() == 33);      //~ proved
  assert(replaced() == 2);    //~ proved
  assert(kept() == 1);        //~ proved
  assert(initialised == 20);  //~ proved
  assert(tentative == 0);     //~ proved
  assert(hidden() == 1);      //~ proved
  assert(tentative == 10);    //~ violated
  return 0;
}
