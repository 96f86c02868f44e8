// Bytes that come from outside are inputs: an execution that is run again gets the same.
#include <assert.h>
#include <stdio.h>

void __VERIFIER_nondet_memory(void *, unsigned long);
unsigned __VERIFIER_nondet_uint(void);

struct record {
    char tag;
    float weight;
    int numbers[3];
};

static unsigned many[2000];

int main(void) {
    unsigned x = 0;
    struct record r = {0};
    char line[8];
    switch (__VERIFIER_nondet_uint()) {
    case 0:
        __VERIFIER_nondet_memory(&x, sizeof x);
        assert(x * 7 != 987654321u); //~ violated
        break;
    case 1:
        __VERIFIER_nondet_memory(&r, sizeof r);
        assert(r.tag != 3 || r.weight != 2.5f || r.numbers[2] != 987654321); //~ violated
        break;
    case 2:
        __VERIFIER_nondet_memory(many, sizeof many);
        assert(many[1999] * 7 != 987654321u); //~ violated
        break;
    case 3:
        __VERIFIER_nondet_memory(&x, sizeof x);
        unsigned first = x;
        __VERIFIER_nondet_memory(&x, sizeof x);
        assert(first * 7 != 987654321u || x * 7 != 987654327u); //~ violated
        break;
    case 4:
        if (fgets(line, 8, stdin)) {
            assert(line[0] != 'z' || line[1] != 'y'); //~ violated
        }
        break;
    default:
        __VERIFIER_nondet_memory(many, 4);
        assert(many[1] == 0); //~ proved
    }
    return 0;
}
