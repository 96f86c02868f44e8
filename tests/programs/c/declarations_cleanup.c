// options: on_failure=continue
// Variables whose scope ends with a call, however it is left.
#include <assert.h>

static int order[8], count;
static void done(int *variable) { order[count++] = *variable; }
#define CLEAN __attribute__((cleanup(done)))

static int by_return(int early) {
  CLEAN int outer = 1;
  {
    [[gnu::cleanup(done)]] int inner = 2;
    if (early) return count;
  }
  return count;
}

static void by_goto(int times) {
  CLEAN int outer = 10;
again:;
  CLEAN int inner = 20;
  if (times-- > 0) goto again;
}

int main(void) {
  assert(by_return(1) == 0);                               //~ proved
  assert(count == 2 && order[0] == 2 && order[1] == 1);    //~ proved
  count = 0;
  assert(by_return(0) == 1);                               //~ proved
  count = 0;
  by_goto(1);
  assert(count == 3 && order[1] == 20 && order[2] == 10);  //~ proved
  assert(count == 2);                                      //~ violated
  count = 0;
  for (CLEAN int i = 0; i < 3; i++) {
    CLEAN int inner = i + 5;
    if (i == 0) continue;
    if (i == 1) break;
  }
  assert(count == 3 && order[0] == 5 && order[1] == 6 && order[2] == 1);  //~ proved
  count = 0;
  int value = ({ CLEAN int inner = 7; inner + count; });
  assert(value == 7 && count == 1);                        //~ proved
  return 0;
}
