// What a function without a body may change through a pointer that does not name its object: the array around it.
#include <assert.h>
#include <stdlib.h>
struct pair { int x, y; };
struct group { int count; int all[4]; struct pair pairs[2]; };
void fill(int *at);
void fill_pair(struct pair *at);
static void pass(int *at) { fill(at); }
static void pass_pair(struct pair *at) { fill_pair(at); }
struct group group;
int rows[2][3], numbers[2];

int main(void) {
  struct pair pair = {0, 0};
  pass(&pair.x);
  assert(pair.y == 0);                               //~ proved
  pass(group.all);
  assert(group.all[1] == 0);                         //~ violated
  assert(group.count == 0);                          //~ proved
  pass_pair(&group.pairs[0]);
  assert(group.pairs[1].y == 0);                     //~ violated
  pass(rows[1]);
  assert(rows[1][2] == 0);                           //~ violated
  pass(numbers);
  assert(numbers[0] == 0);                           //~ violated
  assert(((char *)numbers)[4] == 0);                 //~ violated
  pass(group.all);
  if (group.all[1] > 1000 && group.all[1] < 5000)
    assert(group.all[1] * group.all[1] != 1522756);  //~ violated
  struct pair *block = calloc(1, sizeof *block);
  pass((int *)block);
  assert(block->y == 0);                             //~ violated
  char *bytes = calloc(8, 1);
  pass((int *)bytes);
  assert(bytes[5] == 0);                             //~ violated
  return 0;
}
