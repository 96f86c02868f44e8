// Inputs are zero in the first execution, and one in the second.
int nondet(void);
void __VERIFIER_assert(int condition);

int main(void) {
  int step = nondet(), s = 0;
  if (step < 0 || step > 3) return 0;
  for (int i = 0; i < 20000; i++) s += step;
  __VERIFIER_assert(s != 0);                      //~ violated
  __VERIFIER_assert(s != 20000);                  //~ violated
  return 0;
}
