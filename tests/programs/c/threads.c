// Threads that share memory: a race, and what a mutex does about it.
// options: rounds=3
#include <pthread.h>
void __VERIFIER_assert(int condition);

static int plain, guarded;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *by) {
  plain++;
  pthread_mutex_lock(&mutex);
  guarded += *(int *)by;
  pthread_mutex_unlock(&mutex);
  return by;
}

int main(void) {
  pthread_t one, other;
  int first = 2, second = 3;
  void *result;
  pthread_create(&one, 0, count, &first);
  pthread_create(&other, 0, count, &second);
  __VERIFIER_assert(guarded != 3);                     //~ violated
  pthread_join(one, &result);
  pthread_join(other, 0);
  __VERIFIER_assert(guarded == 5 && result == &first); //~ bounded
  __VERIFIER_assert(plain == 2);                       //~ violated
  return 0;
}
