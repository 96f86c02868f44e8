// What is not initialised explicitly and lasts as long as the program is zero, with all bytes between its members.
void __VERIFIER_assert(int condition);

struct padded { unsigned short number; unsigned long next; unsigned bits : 5; };
static struct padded object;

int main(void) {
  unsigned char *bytes = (unsigned char *)&object;
  unsigned long *whole = (unsigned long *)&object;
  object.number = 0x1234;
  object.bits = 31;
  __VERIFIER_assert(bytes[0] == 0x34 && bytes[2] == 0 && bytes[7] == 0);   //~ proved
  __VERIFIER_assert(*whole == 0x1234);                                     //~ proved
  __VERIFIER_assert(bytes[16] == 31 && bytes[17] == 0 && bytes[20] == 0);  //~ proved
  __VERIFIER_assert(bytes[8] == 1);                                        //~ violated
  return 0;
}
