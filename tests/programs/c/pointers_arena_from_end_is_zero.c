#include <assert.h>
static _Alignas(16) unsigned char arena[16];
static unsigned char *top = arena + 16;
static void *take(unsigned n) { top -= n; return top; }
int nondet_int(void);
int main(void) {
  int n = nondet_int() & 3;
  short *p = take(8);
  assert(p[n] == 0);                          //~ proved
  assert(p[n] != 0);                          //~ violated
  return 0;
}
