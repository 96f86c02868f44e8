// With checks of memory, argv is as long as argc says; how long its texts are is not known.
// options: check=pointer,bounds
#include <assert.h>

int main(int argc, char **argv) {
  char *last = argv[argc]; //~ proved proved proved
  assert(last == 0);       //~ proved
  if (argc > 1) {
    assert(argv[1] != 0);  //~ proved proved
    if (argv[1][0]) {      //~ proved unknown
      argv[0] = 0;         //~ proved
    }
  }
  return argv[2] == 0;     //~ violated
}
