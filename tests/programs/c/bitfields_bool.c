// A bit-field of type `_Bool` does not cut what it is assigned: it keeps whether that was zero.
void __VERIFIER_assert(int condition);
int __VERIFIER_nondet_int(void);

struct flags { _Bool truth : 1; unsigned rest : 7; };

static struct flags global = {2, 255};

int main(void) {
  struct flags s = {0.5}, *p = &s;
  int any = __VERIFIER_nondet_int();
  __VERIFIER_assert(global.truth == 1 && global.rest == 127);  //~ proved
  __VERIFIER_assert(s.truth == 1 && s.rest == 0);              //~ proved
  __VERIFIER_assert((p->truth = any) == (any != 0));           //~ proved
  s.rest = 5;
  s.truth += 3;
  __VERIFIER_assert(p->truth == 1 && p->rest == 5);            //~ proved
  p->truth--;
  __VERIFIER_assert(s.truth == 0);                             //~ proved
  p->truth--;
  __VERIFIER_assert(s.truth == 0);                             //~ violated
  return 0;
}
