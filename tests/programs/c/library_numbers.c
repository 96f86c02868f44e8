// Integers, characters and bits.
extern void __VERIFIER_assert(int condition);
#include <ctype.h>
#include <stdlib.h>

extern int nondet_int(void);
extern unsigned nondet_uint(void);

int main(void) {
  int c = nondet_int();
  if (c >= -1 && c <= 255) {
    __VERIFIER_assert(!isdigit(c) == !(c >= '0' && c <= '9'));  //~ proved
    __VERIFIER_assert(!isalnum(c) || isalpha(c) || isdigit(c));  //~ proved
    __VERIFIER_assert(!isspace(c) || c == ' ' || (c >= 9 && c <= 13));  //~ proved
    __VERIFIER_assert(!isprint(c) || isgraph(c) || c == ' ');  //~ proved
    __VERIFIER_assert(!ispunct(c) || (isgraph(c) && !isalnum(c)));  //~ proved
    __VERIFIER_assert(!iscntrl(c) || c < 32 || c == 127);  //~ proved
    __VERIFIER_assert(!isupper(c) || tolower(c) == c + 32);  //~ proved
    __VERIFIER_assert(toupper(tolower(c)) == toupper(c));  //~ proved
    __VERIFIER_assert(!isxdigit(c) || isalnum(c));  //~ proved
  }
  __VERIFIER_assert(abs(-7) == 7 && labs(-7000000000L) == 7000000000L);  //~ proved
  div_t parts = div(-7, 2);
  __VERIFIER_assert(parts.quot == -3 && parts.rem == -1);  //~ proved
  __VERIFIER_assert(rand() >= 0);  //~ proved

  unsigned x = nondet_uint();
  if (x != 0) {
    __VERIFIER_assert((x >> (31 - __builtin_clz(x))) == 1);  //~ proved
    __VERIFIER_assert((x & (0u - x)) == 1u << __builtin_ctz(x));  //~ proved
  }
  __VERIFIER_assert(__builtin_popcount(x) % 2 == __builtin_parity(x));  //~ proved
  __VERIFIER_assert(__builtin_bswap32(__builtin_bswap32(x)) == x);  //~ proved
  __VERIFIER_assert(__builtin_bswap32(0x12345678u) == 0x78563412u);  //~ proved
  __VERIFIER_assert(__builtin_ffs(0) == 0 && __builtin_ffs(8) == 4);  //~ proved
  __VERIFIER_assert(__builtin_popcountll(0xF0F0F0F0F0F0F0F0ull) == 32);  //~ proved
  __VERIFIER_assert(__builtin_clzll(1) == 63 && __builtin_clrsb(-1) == 31);  //~ proved

  int sum;
  __VERIFIER_assert(__builtin_add_overflow(2147483647, 1, &sum) && sum == -2147483647 - 1);  //~ proved
  __VERIFIER_assert(!__builtin_sub_overflow(5, 7, &sum) && sum == -2);  //~ proved
  unsigned char small;
  __VERIFIER_assert(__builtin_mul_overflow(16, 17, &small) && small == 16);  //~ proved
  unsigned long long large;
  __VERIFIER_assert(__builtin_umulll_overflow(1ull << 63, 2, &large) && large == 0);  //~ proved
  return 0;
}
