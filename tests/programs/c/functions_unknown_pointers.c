// Functions without a body: a pointer into an array lets all of the array change, and nothing around it.
#include <stdlib.h>

void __VERIFIER_assert(int condition);

struct part { int before; int row[3]; int after; };
struct request { long before; void *routine; long after; };
struct entry { int key; char *name; };
struct large { int first; char *name; int many[100]; };

void fill(int *at, int count);
int receive(int from, void *buffer, unsigned long size);
void keep(const void *buffer);
void update(struct large *large);
void sort(struct entry *entries);
void log_text(const char *format, ...);
void old_style();
long exchange(long *at, long value);

int main(void) {
  int a[4] = {0}, w[6] = {0}, v[6] = {0}, *q = &w[2], *p = v;
  fill(a + 1, 2);
  __VERIFIER_assert(w[3] == 0);                                  //~ proved
  __VERIFIER_assert(a[2] == 0);                                  //~ violated
  fill(q, 2);
  __VERIFIER_assert(v[5] == 0);                                  //~ proved
  __VERIFIER_assert(w[3] == 0);                                  //~ violated
  fill(p, 6);
  __VERIFIER_assert(v[5] == 0);                                  //~ violated

  struct part part = {1, {2, 3, 4}, 5};
  fill(&part.before, 1);
  __VERIFIER_assert(part.row[0] == 2 && part.after == 5);        //~ proved
  __VERIFIER_assert(part.before == 1);                           //~ violated
  part.before = 1;
  fill(&part.row[1], 1);
  __VERIFIER_assert(part.before == 1 && part.after == 5);        //~ proved
  __VERIFIER_assert(part.row[0] == 2);                           //~ violated

  long number = 3;
  keep(&number);
  log_text("%p", &number);
  __VERIFIER_assert(number == 3);                                //~ proved
  receive(0, &number, sizeof number);
  __VERIFIER_assert(number == 3);                                //~ violated
  char text[4] = "abc";
  receive(0, text, 4);
  __VERIFIER_assert(text[0] == 'a');                             //~ violated
  unsigned char big[128] = {0}, other[128] = {0};
  receive(0, big, 128);
  __VERIFIER_assert(other[5] == 0);                              //~ proved
  __VERIFIER_assert(big[5] == 0);                                //~ violated
  old_style(other);
  __VERIFIER_assert(other[5] == 0);                              //~ violated

  static struct large large;
  large.name = text;
  update(&large);
  __VERIFIER_assert(large.name == text);                         //~ proved
  __VERIFIER_assert(large.many[50] == 0);                        //~ violated

  struct entry entries[40] = {{0}};
  entries[3].name = text;
  sort(entries + 1);
  __VERIFIER_assert(entries[3].name == text);                    //~ proved
  __VERIFIER_assert(entries[3].key == 0);                        //~ violated

  int *block = calloc(10, sizeof *block);
  fill(block, 10);
  __VERIFIER_assert(*(block + 3) == 0);                          //~ violated
  static const int constant[3] = {1};
  receive(0, (void *)constant, sizeof constant);
  __VERIFIER_assert(constant[0] == 1);                           //~ proved
  struct request request = {1, text, 3};
  exchange((long *)&request.routine, 0);
  __VERIFIER_assert(request.before == 1 && request.after == 3);  //~ proved
  fill(a + 4, 0);
  fill(0, 0);
  return 0;
}
