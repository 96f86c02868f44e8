// A jump back that stays in a block leads to the same objects, also where there may be several activations of a function,
// options: on_failure=continue
// and where an object is large. Declarations that are passed have made no objects of their own.
#include <assert.h>
int other = 5;

void small(int depth) {
  int *p = 0, i = 0;
again:;
  int x;
  x = i;
  if (p) {
    *p = 7;
    assert(x == 7);    //~ proved
    assert(p != &x);   //~ violated
  }
  p = &x;
  if (i++ == 0) goto again;
  if (depth) small(depth - 1);
}

void large(void) {
  char *p = 0;
  int i = 0;
again:;
  char text[200];
  text[3] = i;
  if (p) {
    *p = 7;
    assert(text[3] == 7);  //~ proved
  }
  p = &text[3];
  if (i++ == 0) goto again;
}

void literal(int depth) {
  int *p = 0, *q = 0, i = 0;
again:
  q = p, p = &(int){i};
  if (i++ == 0) goto again;
  assert(p == q && *q == 1);  //~ proved
  if (depth) literal(depth - 1);
}

void passed(int depth) {
  goto over;
  int x = 5;
over:
  x = 3;
  int *p = &x;
  *p = 4;
  assert(x == 4);      //~ proved
  assert(other == 5);  //~ proved
  if (depth) passed(depth - 1);
}

int main(void) {
  other = *&other;
  small(1);
  large();
  literal(1);
  passed(1);
  return 0;
}
