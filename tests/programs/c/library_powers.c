// Whole powers of known numbers are exact where the result is a float.
extern void __VERIFIER_assert(int condition);
#include <math.h>


int main(void) {
  __VERIFIER_assert(pow(2.0, 2.0) == 4.0 && pow(2.0, -3.0) == 0.125);  //~ proved
  __VERIFIER_assert(pow(-3.0, 3.0) == -27.0 && pow(5.5, 2.0) == 30.25);  //~ proved
  __VERIFIER_assert((int)pow(2, 10) == 1024 && powf(10, 2) == 100);  //~ proved
  __VERIFIER_assert(pow(2.0, 3.0) == 9.0);  //~ violated
  return 0;
}
