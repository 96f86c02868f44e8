// What a compiler knows of the object behind a variable depends on how much it optimises.
#include <assert.h>

int main(void) {
  char array[8], *pointer = array;
  assert(__builtin_object_size(array, 0) == 8);                   //~ proved
  assert(__builtin_object_size(pointer, 0) == (unsigned long)-1); //~ unknown
  return 0;
}
