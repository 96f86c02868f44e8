// The functions that the headers of glibc make of isinf, isnan and their like.
void __VERIFIER_assert(int condition);
double nondet_double(void);
int __isinff(float);
int __isinf(double);
int __isnan(double);
int __finite(double);
int __signbit(double);

int main(void) {
  float large = 1e38f;
  __VERIFIER_assert(__isinff(large * 10) && !__isinff(large));  //~ proved
  double x = nondet_double();
  __VERIFIER_assert(__isnan(x) || __isinf(x) || __finite(x));   //~ proved
  __VERIFIER_assert(!__isinf(x));                               //~ violated
  __VERIFIER_assert(__signbit(-0.0) && !__signbit(0.0));        //~ proved
  return 0;
}
