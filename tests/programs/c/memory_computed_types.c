// options: on_failure=continue
// Sizes of types are computed where the types are written, once, with all that this does.
#include <assert.h>
#include <stddef.h>

static int n = 3, calls;
static int side(void) {
  calls++;
  return 2;
}
static void parameter(int first, int array[n++]) {}
static int rows(int count, int columns, int table[count][columns], int (*row)[columns]) {
  row++;
  assert(row - table == 1 && sizeof *row == 4ul * columns);  //~ proved
  return table[1][2] + (*row)[1];
}
struct inner { short before; int values[5]; };
struct outer { int first; struct inner array[4]; };

int main(void) {
  int some[8];
  parameter(1, some);
  assert(n == 4);                                            //~ proved
  assert(n == 3);                                            //~ violated
  int (*pointer)[side()] = 0;
  assert(calls == 1 && sizeof *pointer == 8 && calls == 1);  //~ proved
  int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
  assert(rows(2, 3, table, table) == 11);                    //~ proved
  typedef int line[n++];
  line one, two[3];
  n = 100;
  assert(sizeof(line) == 16 && sizeof one == 16 && sizeof two == 48);  //~ proved
  two[1][3] = 1, two[2][0] = 2;
  assert(two[1][3] == 1 && &two[2][0] == &two[1][4]);        //~ proved
  assert(sizeof(short[n++][2]) == 400 && n == 101);          //~ proved
  assert(sizeof(line *[n]) == 808);                          //~ proved
  (void)sizeof two[side()];
  assert(calls == 2);                                        //~ proved
  assert(((int (*)[n - 98])table)[1][0] == 4);               //~ proved
  int i = n - 99;
  assert(offsetof(struct outer, array[i].values[i + 1]) == 4 + 2 * sizeof(struct inner) + 16);  //~ proved
  return 0;
}
