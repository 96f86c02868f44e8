// Structs and unions by value: passed, returned, assigned, chosen, seen as something else.
void __VERIFIER_assert(int condition);
int __VERIFIER_nondet_int(void);

struct in { char c; short s; int i; long l; };
struct nest { struct in x[2]; int tail; };
union big { unsigned long l; unsigned w[2]; unsigned short h[4]; unsigned char b[8]; double d; };
enum e { A, B = 5, C, D = -2 };

static struct in make(int i) {
  struct in r = {.i = i};
  r.l = i * 2;
  return r;
}

static int sum(struct in s) {
  s.i++;
  return s.i + s.l;
}

static struct nest change(struct nest n, struct nest *p) {
  n.x[1].i = 100;
  p->x[1].i = 200;
  return n;
}

static union big low(union big u) {
  u.b[0] = 0xff;
  return u;
}

int main(void) {
  __VERIFIER_assert(make(4).l == 8 && sum(make(3)) == 10);              //~ proved
  struct nest first = {.x[1].i = 3, .tail = 1}, second = first;
  struct nest third = change(second, &first);
  __VERIFIER_assert(second.x[1].i == 3 && first.x[1].i == 200);         //~ proved
  __VERIFIER_assert(third.x[1].i == 100 && third.tail == 1);            //~ proved
  int any = __VERIFIER_nondet_int();
  second = any ? first : third;
  __VERIFIER_assert(second.x[1].i == (any ? 200 : 100));                //~ proved
  second.x[0] = first.x[1];
  __VERIFIER_assert(second.x[0].i == 200);                              //~ proved
  first = first;
  __VERIFIER_assert(first.x[1].i == 200);                               //~ proved

  union big u = {.w = {1, 2}};
  __VERIFIER_assert(u.l == 0x200000001UL && u.b[4] == 2);               //~ proved
  u.h[1] = 0xffff;
  __VERIFIER_assert(u.w[0] == 0xffff0001u);                             //~ proved
  union big v = low(u);
  __VERIFIER_assert(v.w[0] == 0xffff00ffu && u.b[0] == 1);              //~ proved
  u.d = 1.0;
  __VERIFIER_assert(u.w[1] == 0x3ff00000);                              //~ proved
  v = u;
  u.b[7] = 0;
  __VERIFIER_assert(v.d == 1.0);                                        //~ proved
  u.l = 0x7ff8000000000123UL;
  v = u;
  __VERIFIER_assert(v.d != v.d && v.l == 0x7ff8000000000123UL);         //~ proved

  enum e e = D;
  __VERIFIER_assert(e < 0 && C == 6 && A == 0);                         //~ proved
  struct { int a[3]; } one = {{1, 2, 3}}, two = one;
  two.a[any & 1] = 9;
  __VERIFIER_assert(one.a[0] == 1 && two.a[any & 1] == 9);              //~ proved
  __VERIFIER_assert(two.a[1] == 2);                                     //~ violated
  return 0;
}
