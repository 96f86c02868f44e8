#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
union U { unsigned char bytes[2]; };
static union U u;
static _Alignas(16) unsigned char arena[32];
static unsigned char *top = arena + 32;
static void *take(unsigned n) { top -= n; return top; }
int main(void) {
  union U *p = take(8);
  u.bytes[1] = 23;
  unsigned char *r = mempcpy(p + 2, &u, 2);
  *r = 27;
  assert(arena[29] == 23);                    //~ proved
  assert(arena[30] == 27);                    //~ proved
  assert(arena[29] == 0);                     //~ violated
  return 0;
}
