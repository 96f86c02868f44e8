// GNU's vectors: operators work on each element.
// options: on_failure=continue
#include <assert.h>
typedef int v4 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));
typedef short s4 __attribute__((vector_size(8)));
typedef float f4 __attribute__((vector_size(16)));
int nondet(void);

static v4 at_start = {1, 2, 3};
static v4 twice(v4 v) { return v + v; }

int main(void) {
  assert(sizeof(v4) == 16 && at_start[3] == 0);                //~ proved
  int x = nondet(), i = nondet() & 3;
  v4 a = {1, 2, 3, 4}, b = {x, x, x, 5};
  v4 sum = a + b, shifted = a << 1, negated = -a;
  assert(sum[3] == 9 && shifted[2] == 6 && negated[i] == ~i);  //~ proved
  assert(sum[0] != 7);                                         //~ violated
  assert(twice(a)[i] == 2 * (i + 1));                          //~ proved
  v4 less = a < b;
  assert(less[i] == (a[i] < b[i] ? -1 : 0));                   //~ proved
  a[i] = 10;
  a *= (v4){2, 2, 2, 2};
  assert(a[i] == 20);                                          //~ proved
  a -= 1;
  assert(a[i] == 20);                                          //~ violated
  b16 bytes = (b16)(v4){0x01020304, 0, 0, -1};
  assert(bytes[0] == 4 && bytes[3] == 1 && bytes[15] == 255);  //~ proved
  s4 small = {32767, 1, -1, 0};
  small = small + small;
  assert(small[0] == -2 && small[2] == -2);                    //~ proved
  f4 half = {1, 2, 3, 4};
  half = half / 2;
  assert(half[0] == 0.5f);                                     //~ proved
  v4 turned = __builtin_shufflevector((v4){1, 2, 3, 4}, b, 3, 2, 7, 0);
  assert(turned[0] == 4 && turned[2] == 5 && turned[3] == 1);  //~ proved
  f4 floats = __builtin_convertvector((v4){1, 2, 3, -4}, f4);
  assert(floats[3] == -4);                                     //~ proved
  return 0;
}
