// An address that is put together again from parts may lead anywhere: nothing is claimed.
void __VERIFIER_assert(int condition);

int main(void) {
  int n = 1, *p = &n;
  unsigned low = (unsigned)(long)p, high = (unsigned)((long)p >> 32);
  *(int *)((long)high << 32 | low) = 2;  //~ unknown
  __VERIFIER_assert(n == 1);  //~ unknown
  return 0;
}
