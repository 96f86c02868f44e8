// Handlers that are static but kept for the machine to call, by themselves or in a table, change what they name.
void __VERIFIER_assert(int condition);

static volatile int ticks, bytes, quiet;

__attribute__((used)) static void on_tick(void) { ticks++; }
static void on_byte(void) { bytes++; }
static void nobody(void) { quiet++; }
__attribute__((section(".vectors"), used)) static void (*const vectors[])(void) = { on_byte };

int main(void) {
  ticks = bytes = quiet = 1;
  __VERIFIER_assert(ticks == 1);  //~ violated
  __VERIFIER_assert(bytes == 1);  //~ violated
  __VERIFIER_assert(quiet == 1);  //~ proved
  return 0;
}
