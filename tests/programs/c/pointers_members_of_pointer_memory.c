#include <assert.h>
#include <stdlib.h>
union U { int a[3]; };
int main(void) {
  int **h = calloc(2, sizeof *h);
  union U *q = (union U *)(char *)h;
  assert(q->a[2] == 0);                       //~ proved
  assert(q->a[2] != 0);                       //~ violated
  return 0;
}
