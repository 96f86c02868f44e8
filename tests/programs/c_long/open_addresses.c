// C leaves it open which numbers the addresses of objects are.
void __VERIFIER_assert(int condition);

int main(void) {
  int s = 0, object;
  for (int i = 0; i < 20000; i++) s += i % 3;
  if (((__UINTPTR_TYPE__)&object & 64) == 0) __VERIFIER_assert(s != 19999);   //~ unknown
  return 0;
}
