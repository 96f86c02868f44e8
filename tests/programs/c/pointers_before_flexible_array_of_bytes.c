// A flexible array and the member before it are bytes, because they are also accessed as one long.
#include <assert.h>
#include <stdlib.h>
struct S { long a[2]; short b; int flexible[]; };
struct T { long a[2]; long c; };
int nondet_int(void);
int main(void) {
  struct S *s = calloc(1, sizeof *s + 8);
  ((struct T *)s)->c = 3;
  int *p = s->flexible, i = nondet_int() ? -3 : 0;
  p[i] = 7;
  assert(s->a[1] == 7 || s->flexible[0] == 7); //~ proved
  assert(s->a[1] == 0);                        //~ violated
  return 0;
}
