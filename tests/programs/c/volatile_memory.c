// options: volatile=memory
// A volatile object holds what the program wrote last, whoever else may know it.
void __VERIFIER_assert(int condition);
extern volatile int elsewhere;
int main(void) {
  volatile int *register_ = (volatile int *)0x40001000;
  elsewhere = 2;
  *register_ = 3;
  __VERIFIER_assert(elsewhere == 2 && *register_ == 3);  //~ proved
  return 0;
}
