// options: check=uninitialized bound=4
// Initial values that are computed from the object itself.
extern int nondet_int(void);

struct list {
  struct list *next, *last;
};

int main(void) {
  switch (nondet_int()) {
    case 0: {
      int x = x + 1;  //~ violated
      return x;
    }
    case 1: {
      double d = d * 2;  //~ violated
      return d > 0;
    }
    case 2: {
      int y = nondet_int() ? 1 : y;  //~ violated
      return y;
    }
    case 3: {
      for (int i = 0; i < 2; i++) {
        int again = i ? again : 7;  //~ violated
        if (again == 8) return 1;
      }
      return 0;
    }
  }
  struct list head = {&head, &head};
  int size = sizeof size;
  return head.next == head.last ? size : 0;
}
