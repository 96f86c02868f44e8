// What IEEE 754 says of the functions of math.h.
extern void __VERIFIER_assert(int condition);
#include <math.h>

extern double nondet_double(void);

int main(void) {
  double x = nondet_double();
  __VERIFIER_assert(isnan(x) || fabs(x) >= 0);  //~ proved
  __VERIFIER_assert(sqrt(2.25) == 1.5 && isnan(sqrt(-1.0)));  //~ proved
  __VERIFIER_assert(floor(-1.5) == -2 && ceil(-1.5) == -1 && trunc(-1.5) == -1);  //~ proved
  __VERIFIER_assert(round(2.5) == 3 && rint(2.5) == 2 && lround(-2.5) == -3);  //~ proved
  __VERIFIER_assert(fmin(1.0, 2.0) == 1.0 && fmax(1.0, 2.0) == 2.0);  //~ proved
  __VERIFIER_assert(fmin(NAN, 2.0) == 2.0 && fmax(1.0, NAN) == 1.0);  //~ proved
  __VERIFIER_assert(copysign(3.0, -0.0) == -3.0);  //~ proved
  __VERIFIER_assert(signbit(-0.0) && !signbit(0.0));  //~ proved
  __VERIFIER_assert(isinf(INFINITY) && !isfinite(-INFINITY) && isfinite(1.0));  //~ proved
  __VERIFIER_assert(fmod(5.5, 2.0) == 1.5 && fmod(-5.5, 2.0) == -1.5);  //~ proved
  __VERIFIER_assert(fpclassify(1.0) == FP_NORMAL && fpclassify(0.0) == FP_ZERO);  //~ proved
  __VERIFIER_assert(fpclassify(x) != FP_NAN || x != x);  //~ proved
  __VERIFIER_assert(fabsf(-1.5f) == 1.5f);  //~ proved
  __VERIFIER_assert(isunordered(x, NAN) && !isless(x, NAN));  //~ proved
  __VERIFIER_assert(__builtin_inf() > 1e300 && __builtin_huge_val() == INFINITY);  //~ proved
  return 0;
}
