// What `pipe` writes is not modelled, so that nobody knows what it leaves as it is.
void __VERIFIER_assert(int condition);
int pipe(int *);

int main(void) {
  int s = 0, ends[2] = {7, 7};
  for (int i = 0; i < 20000; i++) s += i % 3;
  pipe(ends);
  __VERIFIER_assert(ends[1] == 7 || s != 19999);  //~ unknown
  return 0;
}
