// The largest prime below 20,000 is found at the end of a long computation in memory.
void __VERIFIER_assert(int condition);

static unsigned char composite[20000];

int main(void) {
  int largest = 0;
  for (int i = 2; i < 20000; i++) {
    if (composite[i]) continue;
    largest = i;
    for (int j = 2 * i; j < 20000; j += i) composite[j] = 1;
  }
  __VERIFIER_assert(largest > 19000);             //~ unknown
  __VERIFIER_assert(largest != 19997);            //~ violated
  return 0;
}
