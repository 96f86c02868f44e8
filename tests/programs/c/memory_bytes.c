// Objects seen as bytes, and as integers of other sizes.
void __VERIFIER_assert(int condition);

union pointers { void *p; unsigned long u; int *i; unsigned char b[8]; };
struct item { int key; short half; int value; };

static void fill(unsigned char *p, int n, int v) {
  for (int i = 0; i < n; i++) p[i] = v;
}

static int overlap(short *p, int *q) {
  *q = 0;
  *p = 1;
  return *q;
}

int main(void) {
  int n = 261;
  unsigned char *bytes = (unsigned char *)&n;
  __VERIFIER_assert(bytes[0] == 5 && bytes[1] == 1 && bytes[3] == 0);  //~ proved
  bytes[2] = 1;
  __VERIFIER_assert(n == 65797);                                       //~ proved
  short halves[4] = {1, 2, 3, 4};
  int *pair = (int *)&halves[2];
  __VERIFIER_assert(*pair == 0x40003);                                 //~ proved
  *pair = -1;
  __VERIFIER_assert(halves[2] == -1 && halves[3] == -1 && halves[1] == 2); //~ proved
  long wide = 0x1122334455667788L;
  __VERIFIER_assert(*(int *)&wide == 0x55667788 && ((int *)&wide)[1] == 0x11223344); //~ proved
  __VERIFIER_assert(*((unsigned short *)&wide + 3) == 0x1122);         //~ proved
  int v = 1, w = 2;
  union pointers u;
  u.p = &v;
  *u.i = 9;
  __VERIFIER_assert(v == 9 && u.u == (unsigned long)&v);               //~ proved
  u.u = (unsigned long)&w;
  *u.i = 10;
  __VERIFIER_assert(w == 10 && v == 9);                                //~ proved
  struct item items[2] = {{1, 2, 3}, {4, 5, 6}};
  int *field = &items[0].value;
  field = (int *)((char *)field + sizeof(struct item));
  *field = 44;
  __VERIFIER_assert(items[1].value == 44 && items[0].value == 3);      //~ proved
  fill((unsigned char *)&items[1].half, 2, 0xff);
  __VERIFIER_assert(items[1].half == -1 && items[1].key == 4);         //~ proved
  __VERIFIER_assert(overlap((short *)&v, &v) == 0);                    //~ violated
  return 0;
}
