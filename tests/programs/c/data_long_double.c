// options: solver=z3
// The bytes of a `long double`: 10 of them are its number, and C does not say what is in the others.
void __VERIFIER_assert(int condition);
long double nondet_long_double(void);

union view { long double number; unsigned char bytes[sizeof(long double)]; };
struct both { int before; long double number; int after; };
static long double global = 1.5L;
static struct both record = {1, 2.0L, 3};

int main(void) {
  union view view;
  view.number = 1.0L;
  __VERIFIER_assert(view.bytes[9] == 0x3f && view.bytes[8] == 0xff && view.bytes[7] == 0x80);  //~ proved
  __VERIFIER_assert(view.bytes[6] == 0);                                                       //~ proved
  __VERIFIER_assert(view.bytes[10] == 0);                                                      //~ violated
  view.bytes[9] |= 0x80;
  __VERIFIER_assert(view.number == -1.0L);                                                     //~ proved
  view.bytes[7] = 0;
  __VERIFIER_assert(view.number != view.number);                                               //~ proved
  long double *p = &global;
  *p += 1.0L;
  __VERIFIER_assert(global == 2.5L);                                                           //~ proved
  struct both copy = record, *q = &copy;
  __VERIFIER_assert(q->number == 2.0L && q->before == 1 && q->after == 3);                     //~ proved
  *p = nondet_long_double();
  __VERIFIER_assert(*p == global || *p != *p);                                                 //~ proved
  __VERIFIER_assert(*p == *p);                                                                 //~ violated
  view.number = 0.0L;
  __VERIFIER_assert(view.bytes[7] == 0 && view.bytes[9] == 0);                                 //~ proved
  return 0;
}
