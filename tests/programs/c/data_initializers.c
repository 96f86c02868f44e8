// Initial values: designators, ranges, strings, nested and anonymous members, compound literals, static locals.
void __VERIFIER_assert(int condition);

struct in { char c; short s; int i; long l; };
struct nest {
  struct in x[2];
  union { int i; float f; unsigned char b[4]; struct { short lo, hi; }; };
  struct { int p, q; };
};
struct self { struct self *me; int v; };

static struct nest gn = {.x = {[1] = {.i = 3, .l = 4}, [0].s = 7}, .b = {1, 2, 3, 4}, .q = 9};
static int mat[2][3] = {{1, 2, 3}, {4, 5}};
static int desig[10] = {1, 2, [5] = 6, 7, [2] = 3, [8] = 4, 4};
static int unsized[] = {[3] = 1};
static char str[] = "hello", exact[3] = "abc", *ptrs[] = {"x", "yz", 0};
static struct in arr2[] = {{1, 2, 3, 4}, {.l = 8}};
static int *gp = &desig[5], **gpp = &gp;
static char *cp = str + 1;
static int *lit = (int[]){10, 20, 30};
static struct in *slit = &(struct in){.i = 5};
static int tentative;
static int tentative;

static int counter(void) {
  static int n = 5;
  static int *p = &n;
  (*p)++;
  return n;
}

int main(void) {
  __VERIFIER_assert(gn.x[1].i == 3 && gn.x[1].l == 4);                    //~ proved
  __VERIFIER_assert(gn.x[0].s == 7 && gn.x[0].i == 0);                    //~ proved
  __VERIFIER_assert(gn.i == 0x04030201 && gn.hi == 0x0403);               //~ proved
  __VERIFIER_assert(gn.q == 9 && gn.p == 0);                              //~ proved
  __VERIFIER_assert(mat[1][1] == 5 && mat[1][2] == 0 && (*mat)[2] == 3);  //~ proved
  __VERIFIER_assert(desig[0] == 1 && desig[2] == 3 && desig[3] == 0);     //~ proved
  __VERIFIER_assert(desig[6] == 7 && desig[8] == 4 && desig[9] == 4);     //~ proved
  __VERIFIER_assert(sizeof unsized == 16 && unsized[3] == 1);             //~ proved
  __VERIFIER_assert(sizeof str == 6 && str[5] == 0 && exact[2] == 'c');   //~ proved
  __VERIFIER_assert(ptrs[1][1] == 'z' && !ptrs[2]);                       //~ proved
  __VERIFIER_assert(arr2[1].l == 8 && arr2[1].i == 0 && arr2[0].s == 2);  //~ proved
  __VERIFIER_assert(*gp == 6 && **gpp == 6 && gp[1] == 7 && *cp == 'e');  //~ proved
  __VERIFIER_assert(lit[2] == 30 && slit->i == 5 && slit->l == 0);        //~ proved
  __VERIFIER_assert(tentative == 0);                                      //~ proved
  counter();
  __VERIFIER_assert(counter() == 7);                                      //~ proved
  char buffer[4] = "", longer[6] = "ab";
  __VERIFIER_assert(buffer[0] == 0 && buffer[3] == 0);                    //~ proved
  __VERIFIER_assert(longer[1] == 'b' && longer[2] == 0 && longer[5] == 0); //~ proved
  struct { char name[8]; int after; } named = {"abc", 5};
  __VERIFIER_assert(named.name[7] == 0 && named.after == 5);              //~ proved
  struct self me = {&me, 4};
  me.me->me->v++;
  __VERIFIER_assert(me.v == 5);                                           //~ proved
  const struct in narrow = {.c = 200};
  __VERIFIER_assert(narrow.c == -56);                                     //~ proved
  int two = 2, three[3] = {two, two + 1};
  __VERIFIER_assert(three[1] == 3 && three[2] == 0);                      //~ proved
  int nothing[3];
  __VERIFIER_assert(nothing[1] == 0);                                     //~ violated
  return 0;
}
