// After a signed overflow, C gives the program no meaning.
void __VERIFIER_assert(int condition);

int main(void) {
  int s = 1;
  for (int i = 0; i < 70000; i++) s += i;
  __VERIFIER_assert(s > 0);                       //~ unknown
  return 0;
}
