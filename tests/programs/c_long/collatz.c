// The longest of many sequences, with calls.
void __VERIFIER_assert(int condition);

static int length(unsigned long long n) {
  int steps = 1;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
  }
  return steps;
}

int main(void) {
  int longest = 0;
  for (unsigned n = 1; n < 1000; n++) {
    int steps = length(n);
    if (steps > longest) longest = steps;
  }
  __VERIFIER_assert(longest < 179);               //~ violated
  return 0;
}
