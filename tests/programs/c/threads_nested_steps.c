// options: rounds=2
// Functions of the library, and functions that run in one step, do not end the atomic section that calls them.
#include <pthread.h>
void __VERIFIER_assert(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x, y, z;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *write(void *unused) {
  x = 1;
  y = 1;
  z = 1;
  return 0;
}

static void add(void) {
  __sync_fetch_and_add(&z, 2);
}

static void __VERIFIER_atomic_copy(void) {
  y = 0;
  add();
  __VERIFIER_assert(y == 0);                //~ bounded
}

int main(void) {
  pthread_t thread;
  __VERIFIER_atomic_begin();
  pthread_create(&thread, 0, write, 0);
  x = 0;
  pthread_mutex_lock(&mutex);
  __VERIFIER_assert(x == 0);                //~ bounded
  pthread_mutex_unlock(&mutex);
  __VERIFIER_assert(x == 0);                //~ bounded
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_copy();
  __VERIFIER_assert(y == 0);                //~ violated
  return 0;
}
