// options: check=uninitialized bound=4
// Locals that are read before they are given a value.
extern int nondet_int(void);

struct pair {
  int left, right;
};

static int choose(int c) {
  int x;
  if (c) x = 1;
  if (c > 1) return x;  //~ proved
  if (c == 1) x += 1;  //~ proved
  return x;  //~ violated
}

static int both(int c) {
  int x;
  if (c) x = 1;
  else x = 2;
  for (int i = 0; i < 3; i++) x += i;
  return x;
}

static int again(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int part;
    if (i == 0) part = 1;
    sum += part;  //~ violated
  }
  return sum;
}

static int jump(int c) {
  if (c) goto end;
  int x = 3;
end:
  return x;  //~ violated
}

static int fields(int c) {
  struct pair p;
  p.left = c;
  if (c) p.right = p.left;
  return p.left + p.right;  //~ violated
}

int main(void) {
  int c = nondet_int();
  both(c);
  if (c == 3) again();
  if (c == 4) jump(nondet_int());
  if (c == 5) fields(nondet_int());
  return choose(c);
}
