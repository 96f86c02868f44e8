// Enumerations are as wide and as signed as their constants need.
void __VERIFIER_assert(int condition);

enum plain { A, B = 5, C, D = -2 };
enum large { X = 1, Y = 0x80000000u };
enum small { P, Q } __attribute__((packed));

static int name(enum plain given) {
  switch (given) {
    case A: return 'a';
    case C: return 'c';
    case D: return 'd';
    default: return '?';
  }
}

int main(void) {
  enum plain e = D;
  __VERIFIER_assert(e < 0 && C == 6 && A == 0 && sizeof e == 4);  //~ proved
  enum large y = Y;
  __VERIFIER_assert(y > 0 && y - 1 > 0);                          //~ proved
  enum large z = -1;
  __VERIFIER_assert(z > Y);                                       //~ proved
  enum small q = 257;
  __VERIFIER_assert(sizeof q == 1 && q == Q);                     //~ proved
  __VERIFIER_assert(name(6) == 'c' && name(B) == '?');            //~ proved
  e++;
  __VERIFIER_assert(name(e) == '?' && name(++e) == 'a');          //~ proved
  __VERIFIER_assert(name(e - 2) != 'd');                          //~ violated
  return 0;
}
