// An address that is put together again from parts leads to where it did.
void __VERIFIER_assert(int condition);

struct pair { int first; short second; };

int main(void) {
  int n = 1, *p = &n;
  struct pair pair = {3, 4};
  unsigned low = (unsigned)(long)p, high = (unsigned)((long)p >> 32);
  *(int *)((long)high << 32 | low) = 2;
  __VERIFIER_assert(n == 2 && pair.first == 3);  //~ proved
  unsigned char bytes[8];
  unsigned long address = (unsigned long)&pair.second;
  for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(address >> 8 * i);
  address = 0;
  for (int i = 7; i >= 0; i--) address = address << 8 | bytes[i];
  *(short *)address = 5;
  __VERIFIER_assert(pair.first == 3 && pair.second == 5);  //~ proved
  __VERIFIER_assert(pair.second == 4);  //~ violated
  return 0;
}
