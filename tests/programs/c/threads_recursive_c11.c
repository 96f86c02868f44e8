// A recursive mutex may be locked twice by the thread that holds it: what comes then is reached.
#include <threads.h>
void __VERIFIER_assert(int condition);

static mtx_t plain, mutex;
static int x;

int main(void) {
  mtx_init(&plain, mtx_plain);
  mtx_lock(&plain);
  mtx_init(&mutex, mtx_plain | mtx_recursive);  //~ unknown
  mtx_lock(&mutex);
  mtx_lock(&mutex);
  __VERIFIER_assert(x == 1);                    //~ unknown
  return 0;
}
