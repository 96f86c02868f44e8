// A variable has any value when its block is entered again, until its declaration is executed.
// options: on_failure=continue
#include <assert.h>
int nondet(void);

int main(void) {
  int once = nondet();
  if (once) {
    int i = 42;
    goto out;
  in:
    assert(i == 42);      //~ violated
    return 0;
  }
out:
  if (once) goto in;
  for (int k = 0; k < 2; k++) {
    switch (k) {
      int x;
    case 0:
      x = 5;
      assert(x == 5);     //~ proved
      break;
    case 1:
      assert(x == 5);     //~ violated
    }
  }
  for (int k = 0; k < 2; k++) {
    if (k == 1) goto skip;
    int y = 5;
  skip:
    assert(k || y == 5);  //~ proved
    assert(y == 5);       //~ violated
  }
  int again = 0;
back:
  if (again) goto forth;
  int z = 7;
  again = 1;
  goto back;
forth:
  assert(z == 7);         //~ proved
  return 0;
}
