// options: check=bounds
// `*(a + i)` is `a[i]`, and has the bounds of that array.
extern unsigned nondet_unsigned(void);

struct two {
  int a[2], b[2];
} s;
int m[3][4];

int main(void) {
  unsigned i = nondet_unsigned() % 4;
  switch (nondet_unsigned()) {
    case 0: return *(s.a + i);  //~ violated
    case 1: return *(2 + s.a);  //~ violated
    case 2: return *(s.b + i % 2);  //~ proved
    case 3: return *(m[0] + 5);  //~ violated
    case 4: return *(*(m + 1) + i);  //~ proved
    case 5: return *(*(m + i) + 1);  //~ violated
    case 6: return (*(m + 2))[4];  //~ violated
  }
  return 0;
}
