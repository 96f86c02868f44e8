// A volatile object gives any value if something outside the program may change it, and keeps its value otherwise.
void __VERIFIER_assert(int condition);
void install(void (*handler)(int));
void use(volatile int *object);

struct device {
  volatile int state;
  int count;
};

volatile int seen;                     // other files may name it
extern volatile int elsewhere;
extern struct device foreign;
static volatile int own;
static volatile int table[3];
static volatile struct { int x, y; } pair;
static struct device device;
static volatile int given;             // its address is given away
static volatile int ticks;             // a function changes it that nothing here calls
static volatile int stopped;           // a function changes it that is given away

void tick(void) { ticks = ticks + 1; }
static void stop(int number) { stopped = number; }
static void set(int value) { own = value; }

int main(void) {
  volatile int local = 1;
  static volatile int lasting;
  seen = elsewhere = foreign.state = given = ticks = stopped = 2;
  __VERIFIER_assert(seen == 2);        //~ violated
  __VERIFIER_assert(elsewhere == 2);   //~ violated
  __VERIFIER_assert(foreign.state == 2);  //~ violated
  __VERIFIER_assert(ticks == 2);       //~ violated
  install(stop);
  __VERIFIER_assert(stopped == 2);     //~ violated
  use(&given);
  given = 2;
  __VERIFIER_assert(given == 2);       //~ violated
  *(volatile int *)0x40001000 = 2;
  __VERIFIER_assert(*(volatile int *)0x40001000 == 2);  //~ violated

  set(3);
  __VERIFIER_assert(own == 3);         //~ proved
  __VERIFIER_assert(local == 1);       //~ proved
  __VERIFIER_assert(lasting == 0);     //~ proved
  lasting++;
  __VERIFIER_assert(lasting == 1);     //~ proved
  table[own - 1] = 4;
  __VERIFIER_assert(table[2] == 4 && table[1] == 0);  //~ proved
  pair.y = 5;
  device.state = 6;
  __VERIFIER_assert(pair.x == 0 && pair.y == 5);  //~ proved
  device.count = foreign.count = 7;
  foreign.state = 6;
  struct device copy = foreign;
  __VERIFIER_assert(copy.state == 6);  //~ violated
  __VERIFIER_assert(copy.count == 7);  //~ proved
  copy = device;
  __VERIFIER_assert(copy.state == 6);  //~ proved
  __VERIFIER_assert(device.state == 6);  //~ proved
  return 0;
}
