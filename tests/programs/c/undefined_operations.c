// Operations that have no value in C for some operands, without a check: executions that meet one are left out.
#include <assert.h>
extern int nondet_int(void);
extern double nondet_double(void);

int main(void) {
  int amount = nondet_int(), divisor = nondet_int(), number = nondet_int();
  double real = nondet_double();
  switch (nondet_int()) {
    case 0:
      if (amount < 32 || amount > 40) return 0;
      assert((1 << amount) == 0);                 //~ unreachable
      break;
    case 1:
      if (divisor != 0) return 0;
      assert(5 / divisor == 0);                   //~ unreachable
      break;
    case 2:
      assert(number % divisor != 1);              //~ violated
      assert(divisor != 0);                       //~ proved
      break;
    case 3:
      if (!(real > 1e10)) return 0;
      number = (int)real;
      assert(number == 5);                        //~ unreachable
      break;
    case 4:
      number = (int)real;
      assert(real < 3e9);                         //~ proved
      assert(number < 2147483647);                //~ violated
      break;
    case 5:
      assert(__builtin_ctz(number) < 31);         //~ violated
      assert(number != 0);                        //~ proved
      break;
    case 6:
      assert((number >> amount) <= number || number < 0);  //~ proved
      assert(amount < 31);                        //~ violated
      break;
    default:
      if (number / divisor == 2) assert(number != 4);  //~ violated
  }
  return 0;
}
