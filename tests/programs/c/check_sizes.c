// options: check=bounds
// Objects whose sizes are not those of their types.
#include <assert.h>
extern int nondet_int(void);
extern long nondet_long(void);

struct flexible { int n; int data[]; };
static struct flexible given = {1, {[2] = 4}};
static struct { char n; char text[]; } words = {1, "abc"};
int tentative[];

static void flexible(int i) {
  assert(given.data[0] == 0 && given.data[2] == 4);  //~ proved
  if (i == 2) given.data[i] = 1;  //~ proved
  if (i == 3) given.data[i] = 1;  //~ violated
  if (i == 4) assert(words.text[i - 1] == 0);  //~ proved proved
  if (i == 5) assert(words.text[i - 1] == 0);  //~ unreachable violated
  if (i == 6) tentative[i - 5] = 1;  //~ violated
}

static void computed(long n) {
  if (n == 1L << 62) {
    int values[n];  //~ proved
    values[0] = 1;  //~ unreachable
    assert(values[0] == 0);  //~ unreachable
  }
  if (n == -1) {
    int values[n];  //~ violated
    assert(sizeof values == 0);  //~ unreachable
  }
  if (n == 3) {
    int rows[n][n];  //~ proved proved
    rows[n - 1][n - 1] = 1;  //~ proved proved
    rows[0][n] = 1;  //~ proved violated
  }
}

int main(void) {
  flexible(nondet_int());
  computed(nondet_long());
  return 0;
}
