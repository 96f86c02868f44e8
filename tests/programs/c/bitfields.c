// Bit-fields: what is kept, and what expressions that assign them are worth.
void __VERIFIER_assert(int condition);

struct flags {
  unsigned low : 3;
  int sign : 3;
  unsigned one : 1;
  unsigned truth : 1;
  signed char small : 4;
  unsigned long long wide : 40;
  int : 0;
  unsigned next : 31;
};

struct mixed { char first; unsigned a : 5, b : 13; short last; };

static struct flags global = {9, 5, 3, 1, 9, -1, 5};

static int sum(struct mixed given) {
  given.a++;
  return given.a + given.b;
}

int main(void) {
  struct flags s = global;
  __VERIFIER_assert(s.low == 1);                       //~ proved
  __VERIFIER_assert(s.sign == -3);                     //~ proved
  __VERIFIER_assert(s.one == 1 && s.truth == 1);       //~ proved
  __VERIFIER_assert(s.small == -7);                    //~ proved
  __VERIFIER_assert(s.wide == 0xffffffffffULL);        //~ proved
  s.wide++;
  __VERIFIER_assert(s.wide == 0);                      //~ proved
  s.sign = 3;
  s.sign++;
  __VERIFIER_assert(s.sign == -4);                     //~ proved
  int value = (s.low = 12);
  __VERIFIER_assert(value == 4);                       //~ proved
  value = s.low += 5;
  __VERIFIER_assert(value == 1);                       //~ proved
  value = s.low--;
  __VERIFIER_assert(value == 1 && s.low == 0);         //~ proved
  value = --s.low;
  __VERIFIER_assert(value == 7);                       //~ proved
  value = ++s.low;
  __VERIFIER_assert(value == 0);                       //~ proved
  __VERIFIER_assert(s.low - 1 < 0);                    //~ proved

  struct flags copy = s, *pointer = &copy;
  pointer->next = 1u << 30;
  pointer->one = 0;
  __VERIFIER_assert(s.one == 1 && s.next == 5);        //~ proved
  __VERIFIER_assert(copy.truth == 1 && copy.one == 0); //~ proved
  value = pointer->sign = 7;
  __VERIFIER_assert(value == -1);                      //~ proved

  struct mixed one = {1, 31, 8191, -1};
  __VERIFIER_assert(sum(one) == 8191);                 //~ proved
  __VERIFIER_assert(one.a == 31 && one.last == -1);    //~ proved
  struct mixed *m = &one;
  m->b = m->a;
  m->a = 33;
  __VERIFIER_assert(one.b == 31 && one.first == 1);    //~ proved
  __VERIFIER_assert(m->a == 33);                       //~ violated
  return 0;
}
