// What comes from outside may be anything.
extern void __VERIFIER_assert(int condition);
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  int x = 1, y = 2;
  int count = scanf("%d %d", &x, &y);
  __VERIFIER_assert(count <= 2);  //~ proved
  __VERIFIER_assert(count >= 1 || x == 1);  //~ proved
  __VERIFIER_assert(count >= 2 || y == 2);  //~ proved
  __VERIFIER_assert(x == 1);  //~ violated

  int c = getchar();
  __VERIFIER_assert(c >= -1 && c <= 255);  //~ proved
  __VERIFIER_assert(c != 'x');  //~ violated

  char line[8] = "abc";
  if (fgets(line, sizeof line, stdin)) {
    int end = 0;
    for (int i = 0; i < 8; i++) end |= line[i] == 0;
    __VERIFIER_assert(end);  //~ proved
  } else {
    __VERIFIER_assert(line[0] == 'a' && line[2] == 'c');  //~ proved
  }

  char bytes[4] = {1, 2, 3, 4};
  long done = read(0, bytes, 3);
  __VERIFIER_assert(done >= -1 && done <= 3);  //~ proved
  __VERIFIER_assert(bytes[3] == 4);  //~ proved
  __VERIFIER_assert(done > 0 || bytes[0] == 1);  //~ proved
  __VERIFIER_assert(bytes[0] == 1);  //~ violated

  char text[16];
  int length = snprintf(text, sizeof text, "%d!", x);
  __VERIFIER_assert(length >= 2 && length <= 12);  //~ proved
  __VERIFIER_assert(text[length] == 0);  //~ proved
  __VERIFIER_assert(sprintf(text, "ok") == 2 && text[2] == 0);  //~ proved

  time_t now;
  __VERIFIER_assert(time(&now) == now);  //~ proved
  printf("%d\n", x);
  puts("done");
  int number = atoi("12");
  __VERIFIER_assert(number == 12);  //~ proved
  if (getenv("HOME") == NULL) exit(1);
  return 0;
}
