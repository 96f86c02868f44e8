// Promotions, conversions, wrap-around, division, shifts, and `_Bool`.
void __VERIFIER_assert(int condition);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int i = __VERIFIER_nondet_int(), minus = -1;
  unsigned u = __VERIFIER_nondet_uint(), one = 1;
  long l = -1;
  unsigned char uc = 200;
  signed char sc = -100;
  unsigned short us = 65535;
  _Bool b = i;
  __VERIFIER_assert(uc + uc == 400 && (unsigned char)(uc + uc) == 144);  //~ proved
  __VERIFIER_assert(sc * 2 == -200 && (signed char)(sc * 2) == 56);      //~ proved
  __VERIFIER_assert(us + 1 == 65536 && (unsigned short)(us + 1) == 0);   //~ proved
  __VERIFIER_assert(minus > one && !(l > one));                          //~ proved
  __VERIFIER_assert((long)(unsigned)minus == 4294967295L);               //~ proved
  __VERIFIER_assert(-7 / 2 == -3 && minus * 7 % 2 == -1);                //~ proved
  __VERIFIER_assert(minus * 7 / 2u == 2147483644u);                      //~ proved
  __VERIFIER_assert(minus >> 1 == -1 && one << 31 == 0x80000000u);       //~ proved
  __VERIFIER_assert(b == (i != 0) && b < 2);                             //~ proved
  b += 3;
  __VERIFIER_assert(b == 1);                                             //~ proved
  b--;
  b--;
  __VERIFIER_assert(b == 1);                                             //~ proved
  __VERIFIER_assert(~(unsigned char)0 == -1 && -one == 0xffffffffu);     //~ proved
  __VERIFIER_assert('\377' == -1 && sizeof('a') == 4);                   //~ proved
  uc = 44;
  uc <<= 4;
  __VERIFIER_assert(uc == 192);                                          //~ proved
  sc = 127;
  sc++;
  __VERIFIER_assert(sc == -128);                                         //~ proved
  short s = -3;
  s *= 20000;
  __VERIFIER_assert(s == 5536);                                          //~ proved
  int whole = 7;
  whole *= 1.5;
  __VERIFIER_assert(whole == 10);                                        //~ proved
  whole = -1;
  whole += 4294967295u;
  __VERIFIER_assert(whole == -2);                                        //~ proved
  __VERIFIER_assert((one ? -1 : one) > 0);                               //~ proved
  __VERIFIER_assert((u & 7) < 8 && u / 2 <= 2147483647);                 //~ proved
  __VERIFIER_assert(u % 8 < 8 && i % 8 < 8 && i % 8 > -8);               //~ proved
  __VERIFIER_assert((unsigned char)i == (i & 255));                      //~ proved
  __VERIFIER_assert(i != -i || i == 0);                                  //~ violated
  __VERIFIER_assert((short)i == i);                                      //~ violated
  __VERIFIER_assert(u + 1 > u);                                          //~ violated
  return 0;
}
