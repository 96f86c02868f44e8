// Loops, and what leaves or shortens an iteration.
// options: bound=12
void __VERIFIER_assert(int condition);
int __VERIFIER_nondet_int(void);

static int leave(void) {
  int s = 0;
  for (int i = 0; i < 10; i++) {
    if (i == 3) continue;
    if (i == 6) break;
    s = s * 10 + i;
  }
  return s;
}

static int at_least_once(int n) {
  int count = 0;
  do {
    count++;
    if (count == 2) continue;
  } while (n-- > 0);
  return count;
}

int main(void) {
  __VERIFIER_assert(leave() == 1245);                     //~ proved
  __VERIFIER_assert(at_least_once(-5) == 1);              //~ proved
  __VERIFIER_assert(at_least_once(3) == 4);               //~ proved
  int r = 0;
  for (int i = 0, j = 10; i < j; i++, j--) r = i * 100 + j;
  __VERIFIER_assert(r == 406);                            //~ proved
  int k = 0;
  while (k < 3) {
    if (k == 1) {
      k += 2;
      continue;
    }
    k++;
  }
  __VERIFIER_assert(k == 3);                              //~ proved
  for (unsigned char c = 250; c; c++) k++;
  __VERIFIER_assert(k == 9);                              //~ proved
  for (int i = 0; i < 2; i++) {
    int fresh;
    if (i == 0) fresh = 5;
    __VERIFIER_assert(i == 0 || fresh == 5);              //~ violated
  }
  int n = __VERIFIER_nondet_int(), steps = 0;
  while (n > 0) {
    n /= 2;
    steps++;
    if (steps > 5) break;
  }
  __VERIFIER_assert(steps <= 6);                          //~ proved
  __VERIFIER_assert(steps < 6);                           //~ violated
  return 0;
}
