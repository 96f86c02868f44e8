#include <assert.h>
struct S { int a; int b[2]; };
static struct S s;
static int *q;
int main(void) {
  q = s.b;
  *++q = 19;
  for (int i = 0; i < 3; i++) q[-i] = i + 1;
  assert(s.a == 3);                           //~ proved
  assert(s.b[1] == 1);                        //~ proved
  assert(s.a == 0);                           //~ violated
  return 0;
}
