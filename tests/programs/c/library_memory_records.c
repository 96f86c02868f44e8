// Records as memory, aligned blocks, and bytes.
extern void __VERIFIER_assert(int condition);
#include <stdlib.h>
#include <string.h>

struct point {
  int x;
  char tag;
  long y;
};

struct row {
  int count;
  struct point points[3];
};

static struct row rows[2];

int main(void) {
  struct point here = {1, 'a', 1000000000000};
  struct point there;
  memcpy(&there, &here, sizeof here);
  __VERIFIER_assert(there.x == 1 && there.tag == 'a' && there.y == 1000000000000);  //~ proved
  here.x = 2;
  __VERIFIER_assert(there.x == 1);  //~ proved

  rows[1].count = 3;
  rows[1].points[2].y = 7;
  memcpy(&rows[0], &rows[1], sizeof rows[0]);
  __VERIFIER_assert(rows[0].count == 3 && rows[0].points[2].y == 7 && rows[0].points[1].y == 0);  //~ proved
  memset(rows, 0, sizeof rows);
  __VERIFIER_assert(rows[0].count == 0 && rows[1].points[2].y == 0);  //~ proved

  int *aligned;
  __VERIFIER_assert(posix_memalign((void **)&aligned, 64, 4 * sizeof(int)) == 0);  //~ proved
  aligned[1] = 9;
  int *other = aligned_alloc(16, 32);
  other[1] = 8;
  __VERIFIER_assert(aligned[1] == 9 && other != aligned);  //~ proved

  __VERIFIER_assert(memcmp("abc", "abd", 3) < 0 && memcmp("abc", "abd", 2) == 0);  //~ proved
  unsigned char left[3] = {1, 200, 3}, right[3] = {1, 100, 3};
  __VERIFIER_assert(memcmp(left, right, 3) > 0);  //~ proved
  __VERIFIER_assert(memchr(left, 200, 3) == left + 1 && memchr(left, 7, 3) == 0);  //~ proved
  free(aligned);
  free(other);
  return 0;
}
