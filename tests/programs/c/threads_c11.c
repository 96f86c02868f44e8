// Threads of C11: what they return, and mutexes.
// options: rounds=2
#include <threads.h>
void __VERIFIER_assert(int condition);

static mtx_t mutex;
static int guarded, tries;

static int count(void *by) {
  mtx_lock(&mutex);
  guarded += *(int *)by;
  mtx_unlock(&mutex);
  return -7;
}

int main(void) {
  thrd_t one;
  int by = 2, result = 0;
  mtx_init(&mutex, mtx_plain);
  thrd_create(&one, count, &by);
  if (mtx_trylock(&mutex) == thrd_busy)
    tries = 1;
  else
    mtx_unlock(&mutex);
  __VERIFIER_assert(tries == 0);                     //~ violated
  thrd_join(one, &result);
  __VERIFIER_assert(guarded == 2 && result == -7);   //~ bounded
  __VERIFIER_assert(!thrd_equal(one, thrd_current())); //~ bounded
  return 0;
}
