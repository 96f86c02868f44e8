// Switches: fall-through, ranges, a default in the middle, no body to speak of, and bodies that are loops.
void __VERIFIER_assert(int condition);
int __VERIFIER_nondet_int(void);

static int fall(int x) {
  int r = 0;
  switch (x) {
    default: r += 100;
    case 1: r += 1; break;
    case 2 ... 4: r += 2;
    case 5: r += 5; break;
    case -1: r = -1;
  }
  return r;
}

static int inner(int x, int y) {
  switch (x) {
    case 0:
      switch (y) { case 0: return 1; default: break; case 1: return 2; }
      return 3;
    case 1:
      for (;;) {
        switch (y) { case 0: y = 5; continue; case 5: break; default: return 9; }
        break;
      }
      return 7;
  }
  return 8;
}

static int odd(int x) {
  switch (x);
  switch (x) case 3: return 1;
  switch (x) { int z; z = 5; case 4: z = 7; return z; }
  return 0;
}

static int duff(int n) {
  int count = 0, times = (n + 3) / 4;
  switch (n % 4) { case 0: do { count++; case 3: count++; case 2: count++; case 1: count++; } while (--times > 0); }
  return count;
}

static int unsigned_character(unsigned char c) {
  switch (c) { case 255: return 1; case -1: return 2; }
  return 3;
}

static int wide(long long x) {
  switch (x) { case 0x100000001LL: return 1; case 1: return 2; }
  return 3;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assert(fall(0) == 101);                          //~ proved
  __VERIFIER_assert(fall(1) == 1);                            //~ proved
  __VERIFIER_assert(fall(3) == 7);                            //~ proved
  __VERIFIER_assert(fall(5) == 5);                            //~ proved
  __VERIFIER_assert(fall(-1) == -1);                          //~ proved
  if (x > 5 || x < -1) {
    __VERIFIER_assert(fall(x) == 101);                        //~ proved
  } else {
    __VERIFIER_assert(fall(x) < 100);                         //~ violated
  }
  __VERIFIER_assert(inner(0, 0) == 1 && inner(0, 7) == 3);    //~ proved
  __VERIFIER_assert(inner(1, 0) == 7 && inner(1, 2) == 9);    //~ proved
  __VERIFIER_assert(inner(4, 2) == 8);                        //~ proved
  __VERIFIER_assert(odd(3) == 1 && odd(4) == 7 && !odd(5));   //~ proved
  __VERIFIER_assert(duff(1) == 1 && duff(4) == 4);            //~ proved
  __VERIFIER_assert(duff(7) == 7);                            //~ proved
  __VERIFIER_assert(unsigned_character(255) == 1);            //~ proved
  __VERIFIER_assert(wide(0x100000001LL) == 1);                //~ proved
  __VERIFIER_assert(wide(1) == 2);                            //~ proved
  return 0;
}
