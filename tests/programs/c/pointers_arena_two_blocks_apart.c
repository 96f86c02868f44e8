#include <assert.h>
struct S { int b; };
static _Alignas(16) unsigned char arena[32];
static unsigned char *top = arena + 32;
static void *take(unsigned n) { top -= n; return top; }
int main(void) {
  struct S *p = take(8), *q = take(8);
  p->b = 7;
  assert(q[2].b == 7);                        //~ proved
  assert(q[-2].b == 0);                       //~ proved
  assert(q[2].b == 0);                        //~ violated
  return 0;
}
