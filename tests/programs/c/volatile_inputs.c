// options: volatile=inputs
// Every read of a volatile object gives any value.
void __VERIFIER_assert(int condition);
static volatile int own = 2;
int main(void) {
  __VERIFIER_assert(own == 2);  //~ violated
  return 0;
}
