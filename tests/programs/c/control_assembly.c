// Inline assembly that may jump is not supported: where it goes on is not known.
#include <assert.h>

static void wait(void) { __asm__ volatile("pause"); }

int main(void) {
  int i = 0;
  wait();
  __asm__("" : : "r"(i) : "memory");
  __asm__ volatile goto("jmp %l0" : : : : out);  //~ unknown
  i = 1;
out:
  assert(i == 1);                                //~ unknown
  return 0;
}
