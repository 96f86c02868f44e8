// Arrays: pointer arithmetic, dimensions, computed lengths, symbolic indices.
void __VERIFIER_assert(int condition);
void __VERIFIER_assume(int condition);
int __VERIFIER_nondet_int(void);

static int line[5] = {1, 2, 3, 4, 5};

int main(void) {
  int *p = line;
  *p++ += 5;
  __VERIFIER_assert(line[0] == 6 && *p == 2);                         //~ proved
  *++p = 30;
  ++*p;
  __VERIFIER_assert(line[2] == 31);                                   //~ proved
  __VERIFIER_assert(p - line == 2 && &line[4] - p == 2);              //~ proved
  __VERIFIER_assert(p > line && p[-1] == 2 && 1[p] == 4);             //~ proved
  __VERIFIER_assert((unsigned long)&line[3] - (unsigned long)p == 4); //~ proved

  int m[3][4];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) m[i][j] = i * 4 + j;
  int (*row)[4] = &m[1];
  __VERIFIER_assert(m[2][1] == 9 && *(m[1] + 3) == 7);                //~ proved
  __VERIFIER_assert(row[1][2] == 10 && row[-1][0] == 0);              //~ proved

  int n = 3;
  int computed[n];
  for (int i = 0; i < n; i++) computed[i] = i;
  n = 5;
  __VERIFIER_assert(sizeof computed == 12 && computed[2] == 2);       //~ proved

  int at = __VERIFIER_nondet_int(), other = __VERIFIER_nondet_int();
  __VERIFIER_assume(at >= 0 && at < 5 && other >= 0 && other < 5);
  line[at] = 77;
  __VERIFIER_assert(line[at] == 77);                                  //~ proved
  line[other] = 78;
  __VERIFIER_assert(line[at] == 77 || at == other);                   //~ proved
  __VERIFIER_assert(line[at] == 77);                                  //~ violated
  int *moved = line + at;
  moved -= at - 1;
  __VERIFIER_assert(moved == &line[1]);                               //~ proved
  __VERIFIER_assert(*moved == 2);                                     //~ violated
  return 0;
}
