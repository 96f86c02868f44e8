// options: check=overflow
// Products of numbers that have half the width, or less, of what they are computed in.
extern int nondet_int(void);
extern long nondet_long(void);

static long product(long left, long right) {
  return left * right;  //~ proved
}

int main(void) {
  int width = nondet_int(), height = nondet_int();
  long area = product(width, height);
  long square = (long)width * width;  //~ proved
  long large = nondet_long();
  if (large <= 1L << 31) {
    square = large * large;  //~ violated
  }
  return 0;
}
