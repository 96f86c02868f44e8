// A recursive mutex may be locked twice by the thread that holds it: what comes then is reached.
#include <pthread.h>
void __VERIFIER_assert(int condition);

static pthread_mutex_t mutex;
static int x;

int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_NORMAL);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);  //~ unknown
  pthread_mutex_init(&mutex, &kind);
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  __VERIFIER_assert(x == 1);                                  //~ unknown
  return 0;
}
