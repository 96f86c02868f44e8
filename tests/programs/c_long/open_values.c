// Whether an execution fails depends on what C leaves open: nobody may say that it does.
void __VERIFIER_assert(int condition);
int strcmp(const char *left, const char *right);

int main(void) {
  int open, other, s = 0;
  for (int i = 0; i < 20000; i++) s += i % 3;
  if (open == 0) __VERIFIER_assert(s != 19999);   //~ unknown
  if (strcmp("a", "c") == -1) __VERIFIER_assert(s != 19999);   //~ unknown
  other = open;
  if (other != 0) return 0;
  __VERIFIER_assert(s != 19999);                  //~ unknown
  return 0;
}
