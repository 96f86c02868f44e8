// Locals of recursive functions: each activation has its own.
void __VERIFIER_assert(int condition);

static int *escaped;

static int sum(int depth) {
  int local = depth, *p = &local;
  if (depth > 0) {
    int rest = sum(depth - 1);
    *p += rest;
  }
  return local;
}

static int reach_back(int n) {
  int local = n;
  if (n == 2) escaped = &local;
  if (n > 0) return reach_back(n - 1) + local;
  *escaped = 100;
  return 0;
}

static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }

static int arrays(int n) {
  int own[2] = {n, 0};
  if (n > 0) own[1] = arrays(n - 1);
  return own[0] + own[1];
}

int main(void) {
  __VERIFIER_assert(sum(3) == 6);             //~ proved
  __VERIFIER_assert(reach_back(3) == 104);    //~ proved
  __VERIFIER_assert(even(6) && !odd(4));      //~ proved
  __VERIFIER_assert(arrays(4) == 10);         //~ proved
  __VERIFIER_assert(arrays(2) != 3);          //~ violated
  return 0;
}
