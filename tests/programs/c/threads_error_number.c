// Every thread has an errno of its own.
// options: rounds=2
#include <errno.h>
#include <pthread.h>
void __VERIFIER_assert(int condition);

static void *fail(void *unused) {
  errno = EINVAL;
  return unused;
}

int main(void) {
  pthread_t thread;
  errno = 0;
  pthread_create(&thread, 0, fail, 0);
  pthread_join(thread, 0);
  __VERIFIER_assert(errno == 0);  //~ bounded
  return 0;
}
