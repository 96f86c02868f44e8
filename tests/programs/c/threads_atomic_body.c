// A function that runs in one step does so as a thread's own function, too.
// options: rounds=2
#include <pthread.h>
void __VERIFIER_assert(int condition);

static int x;

static void *__VERIFIER_atomic_toggle(void *unused) {
  x = 1;
  x = 0;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, __VERIFIER_atomic_toggle, 0);
  __VERIFIER_assert(x == 0);  //~ bounded
  return 0;
}
