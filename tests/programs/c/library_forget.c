// options: on_failure=continue
// Memory that is given any contents, bytes that are read as another type, and sizes that the compiler knows.
#include <assert.h>
void __VERIFIER_nondet_memory(void *, unsigned long);
unsigned __VERIFIER_nondet_uint(void);
struct record { int a; short b[3]; };
static int global[4];

int main(void) {
  int array[3] = {1, 2, 3};
  struct record record = {1, {2, 3, 4}};
  __VERIFIER_nondet_memory(array, 2 * sizeof(int));
  assert(array[1] == 2);                            //~ violated
  assert(array[2] == 3);                            //~ proved
  __VERIFIER_nondet_memory(&record, sizeof record);
  assert(record.b[1] == 3);                         //~ violated
  unsigned n = __VERIFIER_nondet_uint();
  if (n == 1) {
    __VERIFIER_nondet_memory(global, n * sizeof(int));
    assert(global[0] == 0);                         //~ violated
    assert(global[1] == 0);                         //~ proved
  }
  float f = 1.0f;
  assert(__builtin_bit_cast(unsigned, f) == 0x3f800000);  //~ proved
  assert(__builtin_bit_cast(unsigned, f) == 1);     //~ violated
  assert(__builtin_object_size(&array[1], 0) == 8); //~ proved
  return 0;
}
