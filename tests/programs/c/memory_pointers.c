// Pointers: to locals, globals, fields, elements, functions and other pointers.
void __VERIFIER_assert(int condition);
int __VERIFIER_nondet_int(void);

struct base { int kind; int x; };
struct derived { struct base b; int y; };
struct other { int kind; int a, b; };
struct holder { void *data; int (*f)(void *); unsigned long raw; };

static int g1 = 1, g2 = 2, garr[3] = {7, 8, 9};
static int *table[3] = {&g1, &g2, &garr[1]};
static struct { int *p; int n; } setup[2] = {{&g1, 1}, {garr, 3}};

static int get(struct base *b) { return b->kind == 1 ? ((struct derived *)b)->y : b->x; }
static void *same(void *p) { return p; }
static void set(void *p, int v) { *(int *)p = v; }
static int *pick(int c, int *a, int *b) { return c ? a : b; }
static int read_int(void *p) { return *(int *)p; }
static int read_next(void *p) { return *(int *)p + 1; }
static int both(int *p, int *q) { *p = 1; *q = 2; return *p; }

static void swap(int **a, int **b) {
  int *t = *a;
  *a = *b;
  *b = t;
}

int main(void) {
  struct derived d = {{1, 5}, 6};
  __VERIFIER_assert(get(&d.b) == 6 && get((struct base *)&d) == 6);  //~ proved
  struct other o = {3, 4, 5};
  ((struct base *)&o)->x = 9;
  __VERIFIER_assert(o.a == 9 && o.b == 5);                           //~ proved
  int v = 3, w = 8, any = __VERIFIER_nondet_int();
  set(same(&v), 4);
  __VERIFIER_assert(v == 4);                                         //~ proved
  *pick(any, &v, &w) = 50;
  __VERIFIER_assert(any ? v == 50 && w == 8 : w == 50 && v == 4);    //~ proved
  v = 0x12345, w = 51;
  struct holder h = {&v, read_int, (unsigned long)&w};
  __VERIFIER_assert(h.f(h.data) == 0x12345 && *(int *)h.raw == 51);  //~ proved
  h.f = read_next;
  __VERIFIER_assert(h.f(h.data) == 0x12346);                         //~ proved
  *table[1] = 22;
  __VERIFIER_assert(g2 == 22 && *table[2] == 8);                     //~ proved
  *setup[1].p = 70;
  setup[0].p[0] = 11;
  __VERIFIER_assert(garr[0] == 70 && g1 == 11);                      //~ proved
  int *p = &v, *q = &w;
  swap(&p, &q);
  *p = 1;
  __VERIFIER_assert(w == 1 && q == &v);                              //~ proved
  int **several[2] = {&p, &q};
  **several[1] = 66;
  *several[0] = &garr[2];
  *p = 67;
  __VERIFIER_assert(v == 66 && w == 1 && garr[2] == 67);             //~ proved
  __VERIFIER_assert(read_int != read_next && p == garr + 2);        //~ proved
  __VERIFIER_assert(both(any > 3 ? &v : &w, &w) == 1);               //~ violated
  return 0;
}
