// A loop that a switch enters at four places: an iteration counts once.
void __VERIFIER_assert(int condition);
int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), rounds = (n + 3) / 4, done = 0;
  if (n < 1 || n > 20) return 0;
  switch (n % 4) {
    case 0: do { done++;
    case 3:      done++;
    case 2:      done++;
    case 1:      done++;
            } while (--rounds > 0);
  }
  __VERIFIER_assert(done == n);   //~ proved
  __VERIFIER_assert(done != 19);  //~ violated
  return 0;
}
