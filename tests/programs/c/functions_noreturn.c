// Functions that do not return: by their attribute, however it is written, and not by a name that contains the word.
#include <assert.h>

struct noreturn_info { int x; };
static int log_it(struct noreturn_info *info) { return info->x; }
extern _Noreturn void die(int);
[[noreturn]] void fail(int);
void stop(int) __attribute__((noreturn));
void leave(int);
__attribute__((__noreturn__)) void leave(int);
void (*hook)(int) __attribute__((noreturn));
void (*getter(int))(int);
int input(void);

int main(void) {
  struct noreturn_info info = {1};
  log_it(&info);
  int n = input();
  if (n < 0) die(1);
  if (n > 100) fail(1);
  if (n == 50) stop(1);
  if (n == 51) leave(1);
  if (n == 52) hook(1);
  if (n == 53) getter(1);
  assert(n >= 0 && n <= 100 && n != 50 && n != 51 && n != 52);  //~ proved
  assert(n != 53);                                              //~ violated
  return 0;
}
