// How threads end, what they leave behind, and what they have of their own.
// options: rounds=2
#include <pthread.h>
void __VERIFIER_assert(int condition);

static volatile int flag;
static __thread int own;

static void *leave(void *value) {
  int local = *(int *)value, *at = &local;
  own = 5;
  flag = 1;
  *at += 1;
  if (local == 8) pthread_exit(value);
  return 0;
}

int main(void) {
  pthread_t thread;
  int local = 7;
  void *result;
  own = 4;
  __VERIFIER_assert(flag == 0);                                     //~ bounded
  pthread_create(&thread, 0, leave, &local);
  __VERIFIER_assert(flag == 0);                                     //~ violated
  pthread_join(thread, &result);
  __VERIFIER_assert(flag == 1 && *(int *)result == 7 && own == 4);  //~ bounded
  return 0;
}
