// A pointer to functions may also hold functions of other types, if nobody calls those through it.
void __VERIFIER_assert(int condition);
int nondet_int(void);

struct three { int a, b, c; };
struct one { double d; };

static struct three make_three(int x) { struct three made = {x, x, x}; return made; }
static struct one make_one(int x) { struct one made = {x}; return made; }
static int same(int x) { return x; }
static void nothing(int x) { (void)x; }

int main(void) {
  void *chosen[4] = {(void *)make_three, (void *)make_one, (void *)same, (void *)nothing};
  int at = nondet_int() & 3;
  void *pointer = chosen[at];
  if (at == 0) __VERIFIER_assert(((struct three (*)(int))pointer)(7).b == 7);  //~ proved
  if (at == 1) __VERIFIER_assert(((struct one (*)(int))pointer)(7).d == 7.0);  //~ proved
  if (at == 2) __VERIFIER_assert(((int (*)(int))pointer)(7) == 7);             //~ proved
  if (at == 2) __VERIFIER_assert(((int (*)(int))pointer)(at) == 7);            //~ violated
  if (at == 3) ((void (*)(int))pointer)(7);
  return 0;
}
