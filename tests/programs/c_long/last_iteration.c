// Only the last of some 45,000 inner iterations fails. The value of `wanted` is open, and does not matter for that.
void __VERIFIER_assert(int condition);

static int has_pair(int *numbers, int wanted) {
  int found = 0;
  for (int i = 0; i <= 300; i++) {
    for (int j = 0; j <= i; j++) {
      __VERIFIER_assert(j < 300);                 //~ violated
      __VERIFIER_assert(j <= i);                  //~ unknown
      if (numbers[j % 300] + numbers[i % 300] == wanted) found++;
    }
  }
  return found;
}

int main(void) {
  static int numbers[300];
  int wanted;
  return has_pair(numbers, wanted);
}
