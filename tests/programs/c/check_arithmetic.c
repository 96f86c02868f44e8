// options: check=div,overflow,shift
// Operations that have no result.
extern int nondet_int(void);
extern unsigned nondet_uint(void);

static void divisions(int x, int y) {
  if (y != 0 && 100 / y > 3) x %= 7;
  if (y == 0 || x / y == 1) return;  //~ violated
  unsigned u = (unsigned)y;
  u = 7u / u;  //~ proved
  x = 5;
  x %= nondet_int();  //~ proved violated
}

static void overflows(int x, int y, long z) {
  if (x < 1000 && y < 1000 && x > -1000 && y > -1000) x = (x + y) * 1000 - y;  //~ proved proved proved
  if (z == 1) x + 1;  //~ violated
  if (z == 2) y - x;  //~ violated
  if (z == 3) x * y;  //~ violated
  if (z == 4) -x;  //~ violated
  if (z == 5) x++;  //~ violated
  if (z == 6) x -= 3;  //~ violated
  if (z == 7) z + x;  //~ proved
  char c = (char)y;
  c++;  //~ proved
  unsigned u = (unsigned)x + (unsigned)y;
  u *= 3;
}

static void shifts(int x, unsigned n, long m) {
  if (n < 32) x = 1u << n;
  if (n < 3) x = 5 >> n;  //~ proved
  if (m == 1) 1u << n;  //~ violated
  if (m == 2) x >> (int)n;  //~ violated
  if (m == 3) x << 2;  //~ violated
  if (x >= 0 && x < 100 && m >= 0 && m < 20) x <<= m;  //~ proved proved
}

int main(void) {
  divisions(nondet_int(), nondet_int());
  overflows(nondet_int(), nondet_int(), nondet_int());
  shifts(nondet_int(), nondet_uint(), nondet_int());
  return 0;
}
