// Sequence points: what is evaluated, and in which order.
void __VERIFIER_assert(int condition);

static int trace;

static int t(int value) {
  trace = trace * 10 + value;
  return value;
}

int main(void) {
  trace = 0;
  int r = t(0) && t(1) || t(2) && t(3);
  __VERIFIER_assert(trace == 23 && r == 1);     //~ proved
  trace = 0;
  r = t(1) ? t(2) : t(3);
  __VERIFIER_assert(trace == 12 && r == 2);     //~ proved
  trace = 0;
  r = (t(1), t(2), t(3));
  __VERIFIER_assert(trace == 123 && r == 3);    //~ proved
  trace = 0;
  r = t(0) || (t(4), 0) || t(5);
  __VERIFIER_assert(trace == 45 && r == 1);     //~ proved
  trace = 0;
  r = t(4) ?: t(5);
  __VERIFIER_assert(trace == 4 && r == 4);      //~ proved
  trace = 0;
  r = t(0) ?: t(5);
  __VERIFIER_assert(trace == 5 && r == 5);      //~ proved
  trace = 0;
  r = !(t(1) && !t(0)) ? t(6) : t(7);
  __VERIFIER_assert(trace == 107 && r == 7);    //~ proved
  trace = 0;
  if (t(1) && (t(2), t(0))) t(8); else t(9);
  __VERIFIER_assert(trace == 1209);             //~ proved
  int a = 6, c = a++ + 10;
  __VERIFIER_assert(c == 16 && a == 7);         //~ proved
  a = (c = 3, c++) + 1;
  __VERIFIER_assert(a == 4 && c == 4);          //~ proved
  r = a++ && a == 5 ? a-- : 0;
  __VERIFIER_assert(r == 5 && a == 4);          //~ proved
  r = ({ int q = 0; for (int i = 0; i < 4; i++) q += i; q; });
  __VERIFIER_assert(r == 6);                    //~ proved
  __VERIFIER_assert(sizeof(a++) == 4 && a == 5); //~ violated
  return 0;
}
