// options: check=memory bound=6
// A list on the heap: every access, every block.
extern int nondet_int(void);
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *list, int value) {
  struct node *made = malloc(sizeof *made);
  made->value = value;  //~ proved proved proved
  made->next = list;  //~ proved
  return made;
}

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 3; i++)
    if (nondet_int()) list = push(list, i);
  int sum = 0;
  for (struct node *p = list; p; p = p->next)  //~ proved
    sum += p->value;  //~ proved proved
  if (nondet_int()) exit(1);  //~ violated
  while (list) {
    struct node *next = list->next;  //~ proved proved
    free(list);  //~ proved proved
    list = next;
  }
  if (nondet_int()) push(0, sum);
  return 0;
}  //~ violated
