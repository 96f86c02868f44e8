// The padding of an automatic struct may be anything, if the program initialises one of its members (C11 6.2.6.1p6).
#include <assert.h>
#include <string.h>

struct padded {
    char tag;
    int number;
};

int main(void) {
    struct padded one = {1, 2}, other = {1, 2};
    static struct padded lasting = {1, 2};
    assert(((char *)&one)[4] == 2);              //~ proved
    assert(((char *)&lasting)[1] == 0);          //~ proved
    if (one.tag == 1) {
        assert(((char *)&one)[1] == 0);          //~ violated
    }
    assert(memcmp(&one, &other, sizeof one) == 0); //~ violated
    return 0;
}
