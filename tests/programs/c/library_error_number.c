// errno is one object. Functions that only compute leave it as it is; what others set it to is not known.
extern void __VERIFIER_assert(int condition);
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int nondet_int(void);

static int parse(int value) {
  if (value > 9) {
    errno = EINVAL;
    return -1;
  }
  return value;
}

int main(void) {
  __VERIFIER_assert(errno == 0);  //~ proved
  int result = parse(nondet_int() & 15);
  __VERIFIER_assert(result >= 0 || errno == EINVAL);  //~ proved
  int *there = &errno;
  *there = ERANGE;
  size_t length = strlen("text");
  free(NULL);
  __VERIFIER_assert(errno == ERANGE && length == 4);  //~ proved
  errno = 0;
  FILE *file = fopen("x", "r");
  if (file == NULL && nondet_int()) {
    __VERIFIER_assert(errno != 0);  //~ unknown
  } else if (file == NULL) {
    errno = ENOENT;
    __VERIFIER_assert(errno == EINTR);  //~ violated
  }
  return 0;
}
