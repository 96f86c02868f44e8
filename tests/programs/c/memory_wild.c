// A pointer made of an integer that may be anything may lead anywhere: what is written there is not known.
void __VERIFIER_assert(int condition);
long nondet_long(void);

static int count;

int main(void) {
  int *anywhere = (int *)nondet_long();
  __VERIFIER_assert(count == 0);  //~ unknown
  *anywhere = 7;  //~ unknown
  __VERIFIER_assert(count == 0);  //~ unknown
  return 0;
}
