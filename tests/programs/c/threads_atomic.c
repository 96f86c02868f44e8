// What is done in one step is not interrupted.
// options: rounds=3
#include <pthread.h>
void __VERIFIER_assert(int condition);

static int sum, swapped, plain;

static void *count(void *unused) {
  __sync_fetch_and_add(&sum, 1);
  if (__sync_bool_compare_and_swap(&swapped, 0, 1)) plain++;
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, count, 0);
  pthread_create(&other, 0, count, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  __VERIFIER_assert(sum == 2 && plain == 1);  //~ bounded
  return 0;
}
