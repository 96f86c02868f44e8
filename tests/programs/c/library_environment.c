// What getenv returns is null, or a text that may be any.
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    char *text = getenv("NAME");
    if (text) {
        assert(text[0] != 'z'); //~ violated
    }
    int x = __VERIFIER_nondet_int();
    assert(x != 42); //~ violated
    return 0;
}
