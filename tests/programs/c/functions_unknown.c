// Functions without a body: what they may change is what their arguments say.
void __VERIFIER_assert(int condition);

struct reading { int value; char *name; unsigned char flags[2]; };
struct large { int values[1000]; };

int sensor(int *out, const int *in, struct reading *reading);
void touch_number(int value, void *anything, int **where);
void fill(struct large *large);
extern void (*handler)(short *);
void either(short *at);

static void negate(short *at) { *at = -*at; }

int main(void) {
  int x = 1, y = 2, global = 0, *p = &y;
  struct reading reading = {3, "n", {4, 5}};
  static struct large large;
  sensor(0, &y, 0);
  __VERIFIER_assert(x == 1 && y == 2 && reading.value == 3);     //~ proved
  sensor(&x, &y, &reading);
  __VERIFIER_assert(y == 2 && global == 0);                      //~ proved
  __VERIFIER_assert(reading.name[0] == 'n');                     //~ proved
  __VERIFIER_assert(x == 1);                                     //~ violated
  __VERIFIER_assert(reading.flags[1] == 5);                      //~ violated
  touch_number(x, &y, &p);
  __VERIFIER_assert(p == &y && global == 0);                     //~ proved
  __VERIFIER_assert(y == 2);                                     //~ violated
  fill(&large);
  __VERIFIER_assert(large.values[7] == 0);                       //~ violated
  short s = 4;
  void (*chosen)(short *) = x ? either : negate;
  chosen(&s);
  __VERIFIER_assert(x || s == -4);                               //~ proved
  __VERIFIER_assert(s == -4);                                    //~ violated
  return 0;
}
