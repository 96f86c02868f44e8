// C leaves open in which order operands are evaluated.
void __VERIFIER_assert(int condition);

static int g;
static int set(void) { g = 1; return 0; }
static int get(void) { return g; }

int main(void) {
  int s = 0;
  for (int i = 0; i < 20000; i++) s += i % 3;
  if (set() + get() == 1) __VERIFIER_assert(s != 19999);   //~ unknown
  return 0;
}
