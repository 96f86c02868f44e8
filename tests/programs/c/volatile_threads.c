// Threads share volatile objects as any other memory; what the program does not define may change all the same.
// options: rounds=2
#include <pthread.h>
void __VERIFIER_assert(int condition);

extern volatile int elsewhere;
volatile int seen;
static volatile int given;

struct device {
  struct { volatile int state; } port;
};

static void *write(void *value) {
  *(volatile int *)value = 1;
  seen = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  elsewhere = 0;
  __VERIFIER_assert(elsewhere == 0);                         //~ violated
  *(volatile int *)0x40001000 = 2;
  __VERIFIER_assert(*(volatile int *)0x40001000 == 2);       //~ violated
  struct device *device = (struct device *)0x40002000;
  device->port.state = 2;
  __VERIFIER_assert(device->port.state == 2);                //~ violated
  pthread_create(&thread, 0, write, (void *)&given);
  __VERIFIER_assert(seen == 0);                              //~ violated
  pthread_join(thread, 0);
  __VERIFIER_assert(seen == 1 && given == 1);                //~ bounded
  return 0;
}
