// What comes before a call without a meaning only is judged all the same; what may come after it, or be called back, is not.
#include <assert.h>
#include <stdlib.h>
extern int nondet_int(void);

static int compare(const void *a, const void *b) {
  assert(a != b);  //~ unknown
  return *(const int *)a - *(const int *)b;
}
static void sort(int *a) {
  qsort(a, 3, sizeof *a, compare);  //~ unknown
}
int main(void) {
  int a[3] = {0}, x = nondet_int() & 1;
  a[x] = 1;
  assert(a[0] + a[1] == 1);  //~ proved
  if (nondet_int()) {
    sort(a);
    assert(a[0] <= a[1]);  //~ unknown
  } else {
    assert(a[2] == 0);  //~ proved
  }
  for (int i = 0; i < 3; i++) {
    assert(a[2] == 0);  //~ unknown
    if (a[i]) break;
  }
  return 0;
}
