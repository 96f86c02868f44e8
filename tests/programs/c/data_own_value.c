// options: on_failure=continue
// Variables in their own initial values.
#include <assert.h>

int main(void) {
  int x = x + 1;
  assert(x == 1);          //~ violated
  int *p = (int *)&p;
  assert(p == (int *)&p);  //~ proved
  struct node { struct node *next; } node = {&node};
  assert(node.next == &node);  //~ proved
  return 0;
}
