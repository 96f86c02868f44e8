// options: on_failure=continue
// What main is given: texts that end, a null pointer behind them, and perhaps no argument at all.
#include <assert.h>
#include <string.h>

int main(int argc, char **argv, char **envp) {
  assert(argv[argc] == 0 && argc >= 0);      //~ proved
  assert(argc != 0);                         //~ violated
  if (argc > 2) {
    assert(argv[2] != 0);                    //~ proved
    assert(argv[2][0] == 'x');               //~ violated
    assert(argv[2] != argv[1]);              //~ proved
  }
  if (argc > 1 && argv[1][0] == 'a' && argv[1][1] == 0) {
    assert(strlen(argv[1]) == 1);            //~ proved
  }
  unsigned char any = 0;
  for (int i = 0; i < sizeof *argv; i++) any |= ((unsigned char *)argv)[i];
  assert(argc == 0 || any != 0);             //~ proved
  assert(envp[0] != 0);                      //~ violated
  return argc == 5 ? main(argc - 1, argv + 1, envp) : 0;
}
