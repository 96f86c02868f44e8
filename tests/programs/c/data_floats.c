// Floating point, by IEEE 754.
void __VERIFIER_assert(int condition);

union view { float f; unsigned i; };

int main(void) {
  float f = 16777216;
  f += 1;
  __VERIFIER_assert(f == 16777216.0f);                               //~ proved
  double d = 0.1;
  __VERIFIER_assert(d + 0.2 != 0.3 && (float)d != d);                //~ proved
  d = -2.9;
  __VERIFIER_assert((int)d == -2 && (unsigned char)2.9 == 2);        //~ proved
  d = 1e300 * 1e300;
  __VERIFIER_assert(d > 1e308 && d == d + 1);                        //~ proved
  d = d - d;
  __VERIFIER_assert(d != d && !(d < 1) && !(d >= 1));                //~ proved
  __VERIFIER_assert(-0.0 == 0.0 && 1 / -0.0 < 0);                    //~ proved
  f = 3;
  d = f / 2;
  __VERIFIER_assert(d == 1.5 && 3 / 2 == 1 && 3 / 2.0 == 1.5);       //~ proved
  d++;
  __VERIFIER_assert(d == 2.5 && (d ? 1 : 2) == 1 && !d == 0);        //~ proved
  unsigned long long most = -1;
  d = most;
  __VERIFIER_assert(d == 18446744073709551616.0);                    //~ proved
  __VERIFIER_assert((_Bool)0.5 == 1 && (_Bool)0.0 == 0);             //~ proved
  union view v;
  v.f = f;
  __VERIFIER_assert(v.i == 0x40400000u);                             //~ proved
  v.i = 0xc0200000u;
  __VERIFIER_assert(v.f == -2.5f);                                   //~ proved
  __VERIFIER_assert(v.f > -2.5);                                     //~ violated
  return 0;
}
