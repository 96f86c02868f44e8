// The length of an array that is computed must be positive.
// options: check=bounds on_failure=continue
int nondet(void);

int main(void) {
  int n = nondet();
  if (n > 3 || n < 0) return 0;
  if (nondet()) {
    char empty[n];      //~ violated
    return sizeof empty;
  }
  char some[n + 1];     //~ proved
  char table[2][n - 1]; //~ proved violated
  return sizeof some + sizeof table;
}
