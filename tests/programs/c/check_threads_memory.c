// Memory is checked under every schedule: another thread may free a block, or end with its locals, before they are used.
// options: check=pointer rounds=2
#include <pthread.h>
#include <stdlib.h>

static int *shared, *outlives;

static void *frees(void *argument) {
  free(shared); //~ bounded bounded
  return 0;
}

static void *leaves_local(void *argument) {
  int local = 3;
  outlives = &local;
  return 0;
}

int main(void) {
  pthread_t one, other;
  shared = malloc(sizeof *shared);
  *shared = 1; //~ bounded bounded
  pthread_create(&one, 0, frees, 0);
  *shared = 2; //~ bounded violated
  pthread_create(&other, 0, leaves_local, 0);
  pthread_join(other, 0);
  return *outlives; //~ bounded violated
}
