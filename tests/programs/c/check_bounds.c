// options: check=bounds
// Indices and pointers that stay in their arrays, and some that do not.
extern int nondet_int(void);
extern unsigned nondet_uint(void);
#include <stdlib.h>

struct table {
  int count;
  int rows[4];
  int last;
};

int numbers[10];
int matrix[3][4];
struct table table;

static int at(const int *p, int i) {
  return p[i];  //~ violated
}

static int row(struct table *t, unsigned i) {
  return t->rows[i];  //~ proved proved
}

static void indices(int i) {
  numbers[9] = 1;
  if (i >= 0 && i < 10) numbers[i] = 2;
  if (i >= 2 && i < 8) numbers[i] = 2;  //~ proved
  if (i < 10 && numbers[i] == 3) return;  //~ violated
}

static void nested(unsigned i, unsigned j) {
  if (i < 2 && j < 3) matrix[i][j] = 1;  //~ proved proved
  if (i < 3 && j < 5) matrix[i][j] = 1;  //~ violated
  if (i < 5) table.rows[i] = 1;  //~ violated
}

static int steps(void) {
  int sum = 0;
  int *end = &numbers[10];
  for (int *p = numbers; p != end; p++)  //~ proved
    sum ^= *p;  //~ proved
  int *before = numbers;
  if (nondet_int()) before--;  //~ violated
  int *behind = numbers + 10;
  if (nondet_int()) behind += 1;  //~ violated
  return at(numbers, 9) ^ at(numbers, 10);
}

static void computed(int n) {
  if (n < 1 || n > 8) return;
  int values[n];  //~ proved
  values[n - 1] = 1;  //~ proved
  if (n > 5) values[n] = 1;  //~ violated
}

struct text {
  unsigned length;
  char letters[];
};

static void blocks(unsigned n) {
  if (n > 100) return;
  struct text *text = malloc(sizeof(struct text) + n);
  text->length = n;  //~ proved
  if (n > 3) text->letters[n - 1] = 0;  //~ proved
  text->letters[n] = 0;  //~ violated
}

int main(void) {
  indices(nondet_int());
  nested(nondet_uint(), nondet_uint());
  if (nondet_int()) steps();
  computed(nondet_int());
  unsigned i = nondet_uint();
  if (i < 4) row(&table, i);
  if (nondet_int()) blocks(i);
  const char *name = "abc";
  if (i < 4) numbers[0] = name[i];  //~ proved
  if (i < 5) numbers[0] = name[i];  //~ violated
  return 0;
}
