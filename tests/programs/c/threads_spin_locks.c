// Spin locks keep threads out, as mutexes do.
// options: rounds=2
#include <pthread.h>
void __VERIFIER_assert(int condition);

static pthread_spinlock_t lock, other;
static int guarded, plain, missed;

static void *count(void *which) {
  pthread_spin_lock(&lock);
  guarded++;
  pthread_spin_unlock(&lock);
  pthread_spin_lock(which);
  plain++;
  pthread_spin_unlock(which);
  if (pthread_spin_trylock(&lock) == 0) pthread_spin_unlock(&lock);
  else missed = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_spin_init(&lock, PTHREAD_PROCESS_SHARED);
  pthread_spin_init(&other, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&thread, 0, count, (void *)&other);
  count((void *)&lock);
  pthread_join(thread, 0);
  __VERIFIER_assert(guarded == 2);                     //~ bounded
  __VERIFIER_assert(plain == 2);                       //~ violated
  __VERIFIER_assert(!missed);                          //~ violated
  pthread_spin_destroy(&lock);
  return 0;
}
