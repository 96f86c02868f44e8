// options: isolate=true
// Loops that are left in other ways than at their heads, and what a loop alone does not show.
void __VERIFIER_assert(int condition);
int __VERIFIER_nondet_int(void);

static int counter;

static void left_by_break(int n) {
  int i = 0;
  while (i < n) {
    __VERIFIER_assert(i < n);               //~ proved
    if (i == 3) break;
    i++;
  }
  __VERIFIER_assert(i != 3);                //~ violated
}

static void left_by_goto(int n) {
  for (int i = 0; i < n; i++) {
    __VERIFIER_assert(i >= 0);              //~ proved
    if (i == 2) goto out;
  }
  return;
out:
  __VERIFIER_assert(n < 3);                 //~ violated
}

static int left_by_return(int n) {
  int last = -1;
  do {
    last = n;
    if (n == 5) return last;
    __VERIFIER_assert(last != 5);           //~ proved
    n--;
  } while (n > 0);
  __VERIFIER_assert(last == 1);             //~ violated
  return 0;
}

static int recursion(int depth) {
  int sum = 0;
  while (depth > 0) {
    sum += recursion(depth - 1);
    depth--;
    __VERIFIER_assert(depth >= 0);          //~ proved
    __VERIFIER_assert(counter < 2);         //~ violated
    counter++;
  }
  return sum;
}

static void first_iteration(int *p) {
  int x = 0;
  while (*p > 0) {
    __VERIFIER_assert(x == 0);              //~ proved
    *p = *p - 1;
  }
}

static void through_a_pointer(int *p, int *q) {
  while (*p > 0) {
    *q = 7;
    __VERIFIER_assert(*p < 3);              //~ violated
    *p = *p - 1;
    *q = 0;
  }
}

int main(void) {
  int n = __VERIFIER_nondet_int(), m = 3, k = 2;
  switch (n) {
  case 0: left_by_break(__VERIFIER_nondet_int()); break;
  case 1: left_by_goto(__VERIFIER_nondet_int()); break;
  case 2: left_by_return(__VERIFIER_nondet_int()); break;
  case 3: recursion(3); break;
  case 4: first_iteration(&m); break;
  default: through_a_pointer(&k, n > 100 ? &k : &m);
  }
  return 0;
}
