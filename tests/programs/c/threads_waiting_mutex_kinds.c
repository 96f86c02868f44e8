// These are mutexes as glibc declares them, of the kinds for which a thread that locks one twice waits for ever.
void __VERIFIER_assert(int condition);

enum { PTHREAD_MUTEX_TIMED_NP, PTHREAD_MUTEX_RECURSIVE_NP, PTHREAD_MUTEX_ERRORCHECK_NP, PTHREAD_MUTEX_ADAPTIVE_NP };
typedef union {
  struct {
    int __lock;
    unsigned __count;
    int __owner;
    unsigned __nusers;
    int __kind;
    struct {
      void *previous, *next;
    } __list;
  } __data;
  char __size[40];
} pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *mutex);

static pthread_mutex_t usual = {{0, 0, 0, 0, PTHREAD_MUTEX_TIMED_NP, {(void *)0, (void *)0}}};
static pthread_mutex_t adaptive = {{0, 0, 0, 0, PTHREAD_MUTEX_ADAPTIVE_NP, {(void *)0, (void *)0}}};
static int x;

int main(void) {
  pthread_mutex_lock(&usual);
  pthread_mutex_lock(&adaptive);
  pthread_mutex_lock(x ? &usual : &adaptive);
  __VERIFIER_assert(x == 2);  //~ unreachable
  return 0;
}
