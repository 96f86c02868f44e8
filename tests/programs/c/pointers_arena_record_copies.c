#include <assert.h>
struct S { int c; };
static struct S o;
static _Alignas(16) unsigned char arena[64];
static unsigned char *top = arena + 64;
static void *take(unsigned n) { top -= n; return top; }
int main(void) {
  struct S *p = take(16);
  *p = o;
  *p = p[-2];
  o = *p;
  assert(o.c == 0);                           //~ proved
  assert(o.c != 0);                           //~ violated
  return 0;
}
