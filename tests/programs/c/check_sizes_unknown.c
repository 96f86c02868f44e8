// options: check=bounds
// An array that is defined elsewhere has any size: whether an access is within its bounds is not known.
extern int nondet_int(void);
extern int elsewhere[];

int main(void) {
  int i = nondet_int();
  if (i == -1) elsewhere[i] = 1;  //~ violated
  if (i == 2) elsewhere[i] = 1;  //~ unknown unknown
  return 0;
}
