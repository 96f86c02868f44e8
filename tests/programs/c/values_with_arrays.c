// An array inside a value that is no object: it has no address, but elements.
void __VERIFIER_assert(int condition);
int __VERIFIER_nondet_int(void);

struct pair { int before; int both[2]; };
struct table { struct pair rows[2]; char name[2][2]; };

static struct pair make(int first, int second) {
  struct pair made = {.both = {first, second}};
  return made;
}

static struct table fill(void) {
  struct table made = {{{1, {2, 3}}, {4, {5, 6}}}, {"a", "b"}};
  return made;
}

int main(void) {
  int at = __VERIFIER_nondet_int();
  __VERIFIER_assert(make(3, 4).both[1] == 4);              //~ proved
  __VERIFIER_assert(fill().rows[1].both[0] == 5);          //~ proved
  __VERIFIER_assert(fill().name[1][0] == 'b');             //~ proved
  if (at >= 0 && at < 2) {
    __VERIFIER_assert(make(3, 4).both[at] == 3 + at);      //~ proved
    __VERIFIER_assert(fill().rows[at].before != 4);        //~ violated
    __VERIFIER_assert((at ? fill() : fill()).rows[1].both[at] == 5 + at); //~ proved
  }
  struct pair one = {0}, two = make(7, 8);
  __VERIFIER_assert((one = two).both[1] == 8);             //~ proved
  return 0;
}
