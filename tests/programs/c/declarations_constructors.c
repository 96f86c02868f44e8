// options: on_failure=continue
// Functions that run before and after main: by priority, then in the order of the file; destructors the other way round.
#include <assert.h>
#include <stdlib.h>

static int order[8], count;

#define BEFORE(priority) __attribute__((constructor(priority)))

__attribute__((constructor)) static void third(void) { order[count++] = 3; }
BEFORE(300) static void second(void) { order[count++] = 2; }
[[gnu::constructor]] static int fourth(void) { order[count++] = 4; return 0; }
static void first(void) __attribute__((__constructor__(200)));
static void first(void) { order[count++] = 1; }

__attribute__((destructor(300))) static void last(void) {
  assert(count == 5);  //~ proved
  assert(count == 4);  //~ violated
}
__attribute__((destructor)) static void early(void) {
  assert(count == 4);  //~ proved
  count++;
}

int main(void) {
  assert(order[0] == 1 && order[1] == 2 && order[2] == 3 && order[3] == 4);  //~ proved
  assert(count == 0);  //~ violated
  if (order[7] == 0) {
    exit(0);
  }
  return 0;
}
