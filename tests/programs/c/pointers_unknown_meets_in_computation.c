// A pointer from outside is found to be a known one by other means than `==`.
#include <assert.h>
#include <stdint.h>
#include <string.h>
static int x = 1;
void *one(void), *another(void), *third(void);
static uintptr_t hash(void *p) { return (uintptr_t)p * 31 + 7; }
int main(void) {
  int *a = one(), *b = &x;
  if (((uintptr_t)a ^ (uintptr_t)b) == 0) {
    *a = 2;
    assert(x == 2);                           //~ proved
  }
  int *c = another();
  if (memcmp(&b, &c, sizeof b) == 0) {
    *c = 3;
    assert(x == 3);                           //~ proved
  }
  int *d = third();
  if (hash(d) == hash(&x)) {
    *d = 4;
    assert(x == 4);                           //~ proved
  }
  return 0;
}
