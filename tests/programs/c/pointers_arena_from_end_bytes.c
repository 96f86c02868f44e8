#include <assert.h>
struct S { short a; unsigned char b; };
static _Alignas(16) unsigned char arena[16];
static unsigned char *top = arena + 16;
static void *take(unsigned n) { top -= n; return top; }
int main(void) {
  struct S *p = take(8);
  p->b = 24;
  assert(arena[10] == 24);                    //~ proved
  assert(arena[10] == 0);                     //~ violated
  return 0;
}
