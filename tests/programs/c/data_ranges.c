// Designators for ranges of elements.
void __VERIFIER_assert(int condition);

struct pair { int a, b; };

static int line[10] = {1, [2 ... 4] = 7, 8, [8 ... 9] = 4, [3] = 6};
static struct pair pairs[4] = {[1 ... 2] = {.b = 5}};

int main(void) {
  int count = 3;
  int local[4] = {[0 ... 2] = count + 1, count};
  __VERIFIER_assert(line[1] == 0 && line[2] == 7 && line[3] == 6);  //~ proved
  __VERIFIER_assert(line[4] == 7 && line[5] == 8 && line[9] == 4);  //~ proved
  __VERIFIER_assert(pairs[1].b == 5 && pairs[2].b == 5);            //~ proved
  __VERIFIER_assert(pairs[2].a == 0 && pairs[3].b == 0);            //~ proved
  __VERIFIER_assert(local[2] == 4 && local[3] == 3);                //~ proved
  int once[3] = {[0 ... 2] = count++};
  __VERIFIER_assert(once[0] == 3 && once[2] == 3 && count == 4);    //~ proved
  struct { int a, b; } both[2] = {[0 ... 1] = {count++, count}};
  __VERIFIER_assert(both[0].a == both[1].a && count == 5);          //~ proved
  __VERIFIER_assert(line[8] == 0);                                  //~ violated
  return 0;
}
