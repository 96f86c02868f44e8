// Assertions that nothing leads to are named all the same.
#include <assert.h>
#include <stdlib.h>
int nd(void);

static int early(int x) {
  return x;
  assert(x == 0);                  //~ unreachable
}

static void forever(void) {
  for (;;) {
    if (nd() == 3) exit(1);
  }
  while (nd()) {
    assert(nd() == 1);             //~ unreachable
  }
}

int main(void) {
  int x = early(nd());
  switch (x) {
    assert(x != 5);                //~ unreachable
  case 5:
    goto out;
    assert(x == 5);                //~ unreachable
  case 6:
    assert(x != 6);                //~ violated
  }
  forever();
  assert(x == 7);                  //~ unreachable
out:
  assert(x == 5);                  //~ proved
  return 0;
}
