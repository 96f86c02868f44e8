// options: check=pointer
// Pointers that are followed: null, dangling, freed, or from nowhere.
extern int nondet_int(void);
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static int *local(void) {
  int x = 3;
  int *p = &x;
  return p;
}

static int read(int *p) {
  return *p;  //~ proved proved
}

static int call(int x) {
  int y = x;
  return read(&y);
}

static void nulls(struct node *p) {
  if (p && p->value) return;  //~ proved
  if (p) p->value = 1;  //~ proved
  struct node *q = nondet_int() ? p : 0;
  q->value = 1;  //~ proved violated
}

static void frees(void) {
  int *p = malloc(8);
  int *q = p;
  *p = 1;  //~ proved proved
  switch (nondet_int()) {
  case 0:
    free(p);  //~ proved proved
    free(q);  //~ proved violated
    break;
  case 1:
    free(p + 1);  //~ unreachable violated
    break;
  case 2:
    free(p);  //~ proved proved
    *q = 2;  //~ proved violated
    break;
  case 3:
    free(0);
    free(q);  //~ proved proved
    p = malloc(4);
    *p = 2;  //~ proved proved
    break;
  }
}

static int twice(int x) {
  return 2 * x;
}

static int functions(void) {
  int (*f)(int) = 0;
  if (nondet_int()) f = twice;
  if (f) f(1);  //~ unreachable
  return f(2);  //~ violated
}

static unsigned long offset(void) {
  return (unsigned long)&((struct node *)0)->next;
}

int main(void) {
  struct node n = {nondet_int(), 0};
  call(call(1));
  nulls(&n);
  frees();
  offset();
  switch (nondet_int()) {
  case 0: {
    int *p = local();
    return *p;  //~ proved violated
  }
  case 1: {
    int *p = (int *)0x12345678;
    return *p;  //~ proved violated
  }
  case 2: {
    int x;
    int *p = &x;
    free(p);  //~ unreachable violated
    break;
  }
  }
  return functions();
}
