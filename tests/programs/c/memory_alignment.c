// Blocks and variables are aligned as the program asks (C11 6.7.5, 7.22.3.1).
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

typedef int wide __attribute__((aligned(256)));

struct record {
    char tag;
    _Alignas(64) int value;
};

static _Alignas(1024) char lasting;

int main(void) {
    int attribute __attribute__((aligned(128)));
    _Alignas(2 * sizeof(long long)) _Alignas(64) int keyword;
    wide typed;
    struct record record;
    char *block = aligned_alloc(64, 64);
    assert(((uintptr_t)&attribute & 127) == 0);     //~ proved
    assert(((uintptr_t)&keyword & 63) == 0);        //~ proved
    assert(((uintptr_t)&typed & 255) == 0);         //~ proved
    assert(((uintptr_t)&record.value & 63) == 0);   //~ proved
    assert(((uintptr_t)&lasting & 1023) == 0);      //~ proved
    assert(((uintptr_t)block & 63) == 0);           //~ proved
    return 0;
}
