// options: isolate=true
// Two variables of one name: what is known of one says nothing of the other.
void __VERIFIER_assert(int condition);
int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 0, n = __VERIFIER_nondet_int(), i = 0;
  {
    int x = 5;
    while (i < n) {
      __VERIFIER_assert(x <= 10);             //~ violated
      i++;
      if (i > 2) x = 11;
    }
  }
  __VERIFIER_assert(x == 0);                  //~ proved
  return 0;
}
