// Values that nothing is known of are still values of their type, or of as many bits as their field has.
void __VERIFIER_assert(int condition);

struct narrow { unsigned a : 3; int b : 4; _Bool c : 1; };
struct outer { struct narrow in; _Bool flag; };

struct narrow nondet_narrow(void);
extern _Bool elsewhere;
extern struct narrow elsewhere_too;
volatile struct narrow device;

int main(void) {
  struct narrow x;
  __VERIFIER_assert(x.a < 8 && x.c <= 1);                       //~ proved
  __VERIFIER_assert(x.b >= -8 && x.b < 8);                      //~ proved
  struct narrow y = nondet_narrow();
  __VERIFIER_assert(y.a < 8 && y.b >= -8 && y.c <= 1);          //~ proved
  struct outer z, *p = &z;
  __VERIFIER_assert(p->in.a < 8 && p->in.b < 8);                //~ proved
  __VERIFIER_assert(elsewhere <= 1 && elsewhere_too.b < 8);     //~ proved
  __VERIFIER_assert(device.a < 8);                              //~ proved
  __VERIFIER_assert(x.b < 7);                                   //~ violated
  __VERIFIER_assert(y.a != 7);                                  //~ violated
  __VERIFIER_assert(p->in.b > -8);                              //~ violated
  __VERIFIER_assert(device.a == device.a);                      //~ violated
  return 0;
}
