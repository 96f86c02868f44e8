// options: check=conversion
// Conversions that change a value, unless they are written down.
extern int nondet_int(void);
extern double nondet_double(void);

struct bits {
  unsigned low : 3;
  int high : 4;
};

static char shorter(int x) {
  return x;  //~ violated
}

int main(void) {
  int x = nondet_int();
  if (x >= 0 && x < 128) {
    char c = x;  //~ proved
    unsigned u = x;
    if (nondet_int()) u = -1;  //~ violated
  }
  short s = (short)x;
  unsigned char b = (unsigned char)x;
  long wide = x;
  _Bool flag = x;
  if (nondet_int()) shorter(x);
  if (nondet_int()) b += 1;  //~ violated
  struct bits bits = {1, 2};
  if (x > 0 && x < 8) bits.low = x;  //~ proved proved
  if (x > 0 && x < 8) bits.high = x;  //~ proved
  if (x > 0 && x < 9 && nondet_int()) bits.high = x;  //~ violated
  double d = nondet_double();
  if (d > -3.0 && d < 1e9) x = d;  //~ proved
  if (wide == 1) x = (int)d;  //~ violated
  return s;
}
