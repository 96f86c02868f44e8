// A lock that is not modelled is not taken for a function that does nothing.
#include <pthread.h>
void __VERIFIER_assert(int condition);

static pthread_rwlock_t lock;
static int number;

static void *increment(void *nothing) {
  pthread_rwlock_wrlock(&lock);                        //~ unknown
  number++;
  return nothing;
}

int main(void) {
  pthread_t one;
  pthread_create(&one, 0, increment, 0);
  pthread_join(one, 0);
  __VERIFIER_assert(number == 1);                      //~ unknown
  return 0;
}
