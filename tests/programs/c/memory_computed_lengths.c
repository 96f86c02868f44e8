// Arrays whose lengths are computed, in one dimension and in several.
void __VERIFIER_assert(int condition);
int nondet_int(void);

static int sum(int rows, int columns) {
  int table[rows][columns], total = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) table[i][j] = 10 * i + j;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) total += table[i][j];
  __VERIFIER_assert(sizeof table == 4ul * rows * columns);  //~ proved
  return total;
}

int main(void) {
  __VERIFIER_assert(sum(2, 3) == 36);  //~ proved
  __VERIFIER_assert(sum(3, 2) == 63);  //~ proved
  int n = 3;
  short cube[n][n + 1][2][2];
  n = 7;
  cube[2][3][1][1] = 5;
  cube[2][3][1][0] = 6;
  cube[2][2][1][1] = 4;
  cube[1][3][1][1] = 3;
  __VERIFIER_assert(cube[2][3][1][1] == 5 && cube[1][3][1][1] == 3);  //~ proved
  __VERIFIER_assert(sizeof cube == 96 && (short *)cube + 47 == &cube[2][3][1][1]);  //~ proved
  __VERIFIER_assert(*(cube[2][3][1] + 1) == 4);  //~ violated
  return 0;
}
