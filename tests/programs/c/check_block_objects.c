// Objects end with their block, and not before: a pointer to one must not be used later.
// options: check=pointer on_failure=continue
int nondet(void);

static int after_block(void) {
  int *p;
  { int inner = 1; p = &inner; *p = 2; } //~ proved proved
  return *p; //~ violated
}

static int after_break(void) {
  int *p = 0;
  for (int i = 0; i < 3; i++) {
    int inner = i;
    p = &inner;
    if (nondet()) break;
  }
  return *p; //~ proved violated
}

static int before_its_declaration(void) {
  int *p = 0;
again:
  if (p != 0) return *p; //~ proved
  int same_block = 3;
  p = &same_block;
  goto again;
}

static int of_the_loop(void) {
  int sum = 0, *p;
  for (int i = 0; i < 2; i++) {
    int inner[2] = {i, 1};
    p = inner;
    sum += p[1]; //~ proved proved
  }
  return sum;
}

int main(void) {
  switch (nondet()) {
  case 0: return after_block();
  case 1: return after_break();
  case 2: return before_its_declaration();
  default: return of_the_loop();
  }
}
