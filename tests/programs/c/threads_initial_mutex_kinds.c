// A mutex may be recursive by its initial value: a thread that locks it twice does not wait, and what comes then is reached.
#include <pthread.h>
void __VERIFIER_assert(int condition);

struct account {
  int amount;
  pthread_mutex_t mutex;
};
static struct account account = {1, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

int main(void) {
  pthread_mutex_lock(&account.mutex);  //~ unknown
  pthread_mutex_lock(&account.mutex);
  __VERIFIER_assert(account.amount == 2);  //~ unknown
  return 0;
}
