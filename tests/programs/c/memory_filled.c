// Memory that is filled with inputs before anything reads it: the loop is longer than any bound, and costs nothing.
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);
void __VERIFIER_assert(int condition);

struct device { int number; char name[400]; int state; };

int main(void)
{
  struct device *device = malloc(sizeof *device);
  unsigned i;
  if (!device)
    return 0;
  for (i = 0; i < sizeof *device; i++)
    ((char *)device)[i] = __VERIFIER_nondet_char();
  if (device->number == 77 && device->name[399] == 'x')
    __VERIFIER_assert(device->state != 1234567);   //~ violated
  for (i = 0; i < 50; i++)
    device->name[i] = __VERIFIER_nondet_char();            // read before: not arbitrary any more
  __VERIFIER_assert(device->name[399] == 'x' || device->number != 77 || i != 50);   //~ violated
  device->name[3] = 'q';
  __VERIFIER_assert(device->name[3] == 'q');       //~ proved
  return 0;
}
