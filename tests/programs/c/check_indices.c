// options: check=bounds
// Indices that are out of bounds, although the address that they lead to is not: nothing wraps around in a check.
#include <stdlib.h>
#include <assert.h>
extern long nondet_long(void);
extern unsigned nondet_uint(void);

struct table { int count; int rows[4]; int last; };
struct result { int values[4]; };
int numbers[10];
int matrix[4][5];
struct table table;

static struct result result(void) {
  struct result made = {{1, 2, 3, 4}};
  return made;
}

static void far(int *p, long i) {
  if (i == 1L << 62) p[i] = 1;  //~ unreachable violated
  if (i == (1L << 62) + 1) p = &p[i];  //~ violated
  if (i == (1L << 62) + 2) p = p + i;  //~ violated
  if (i == (1L << 62) + 3) p = p - i;  //~ violated
  if (i == (1L << 62) + 4) numbers[i] = 1;  //~ violated
  if (i == 9) p[i] = 1;  //~ proved proved
}

static void unsigned_numbers(int *p, unsigned u) {
  if (u == 1) assert(p + 3 - u == p + 2);  //~ proved proved proved proved
  if (u == 2) p[u - 3] = 1;  //~ violated
  if (u == 3) numbers[u - 4] = 1;  //~ violated
}

static void parts(long i) {
  if (i == 5) matrix[0][i] = 1;  //~ violated
  if (i == 4) table.rows[i] = 1;  //~ violated
  if (i == 3) assert(result().values[i] == 4);  //~ proved proved
  if (i == 6) assert(result().values[i] == 4);  //~ unreachable violated
}

int main(void) {
  int *p = malloc(40);
  far(p, nondet_long());
  unsigned_numbers(p, nondet_uint());
  parts(nondet_long());
  return 0;
}
