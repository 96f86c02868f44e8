// What is read as `_Bool` is 0 or 1, wherever it is and whatever was there before.
void __VERIFIER_assert(int condition);
void *malloc(unsigned long size);

struct device { int state; _Bool ready; _Bool lines[4]; };

extern struct device devices[2];

static int count(_Bool *at, int n) {
  int found = 0;
  for (int i = 0; i < n; i++) found += at[i];
  return found;
}

int main(void) {
  struct device *d = malloc(sizeof *d), copy = devices[1];
  __VERIFIER_assert(d->ready == 0 || d->ready == 1);                    //~ proved
  __VERIFIER_assert(devices[0].ready <= 1 && copy.lines[2] <= 1);       //~ proved
  __VERIFIER_assert(count(d->lines, 4) <= 4);                           //~ proved
  d->ready = 0x100;
  d->lines[1] = d->ready + 1;
  __VERIFIER_assert(d->ready == 1 && d->lines[1] == 1);                 //~ proved
  _Bool flag = 0, *p = &flag;
  *p = 0.25;
  (*p)--;
  __VERIFIER_assert(flag == 0);                                         //~ proved
  *p |= 6;
  __VERIFIER_assert(flag == 1);                                         //~ proved
  struct { union { unsigned char c; _Bool b; }; int rest; } one, other;
  __VERIFIER_assert(one.c != 5);                                        //~ violated
  one.c = 5;
  other = one;
  __VERIFIER_assert(other.c == 5);                                      //~ proved
  __VERIFIER_assert(count(d->lines, 4) == 1);                           //~ violated
  return 0;
}
