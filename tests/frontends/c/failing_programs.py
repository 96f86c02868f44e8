"""C programs with one violation, which a generated test case shows, by their special features."""

from __future__ import annotations

from typing import Final

from remuda.options import Options

PROGRAMS: Final = {
    "inputs of one function at several places, whatever order the compiler takes": """
        int __VERIFIER_nondet_int(void); void __VERIFIER_assert(int);
        static int minus(int a, int b) { return a - b; }
        int main(void) { __VERIFIER_assert(minus(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()) != 77); }
    """,
    "one place, many times": """
        int next(void); void reach_error(void);
        int main(void) { for (int i = 0; i < 4; i++) if (next() != i * i + 3) return 0; reach_error(); }
    """,
    "an input in a macro": """
        #include <assert.h>
        #define INPUT nondet()
        extern unsigned char nondet(void);
        int main(void) { unsigned char a = INPUT, b = INPUT; assert(a - b != 200); }
    """,
    "a stub does not switch checking off": """
        int __CPROVER_assert(int c, const char *s) {}
        void __VERIFIER_assume(int c) {}
        int __VERIFIER_nondet_int(void) { return 0; }
        int main(void) {
          int x = __VERIFIER_nondet_int();
          __VERIFIER_assume(x > 41);
          __CPROVER_assert(x != 42, "x");
        }
    """,
    "an error label": """
        extern long pick();
        int main(void) { if (pick() == 1L << 40) goto ERROR; return 0; ERROR : return 1; }
    """,
    "arguments, an uninitialised variable and one from elsewhere": """
        #include <assert.h>
        extern double factor;
        static int odd(void) { unsigned long long x; return x == 0x8000000000000001ull; }
        int main(int argc, char **argv) { assert(argc < 3 || argv[2][0] || factor != -0.1 || !odd()); }
    """,
    "floats that have no plain literal": """
        float get(void); double more(void); void __VERIFIER_assert(int);
        int main(void) { float f = get(); double d = more(); __VERIFIER_assert(f == f || d < 1e308 * 10 || d > 0); }
    """,
    "records": """
        struct pair { short a; struct { unsigned b : 3; char c[2]; } in; };
        struct pair make(int k); void __VERIFIER_error(void);
        int main(void) {
          struct pair p = make(1), q = make(2);
          if (p.a == -2 && p.in.b == 5 && q.in.c[1] == 'z' && q.a == 9) __VERIFIER_error();
        }
    """,
    "another function to start in": """
        void __VERIFIER_assert(int);
        int check(signed char a, unsigned b) { __VERIFIER_assert(a != -100 || b != 4000000000u); return 0; }
        int main(void) { return check(1, 1); }
    """,
    "overflow": """
        int nondet(void);
        int main(void) { int x = nondet(), y = x + 1; return y > 0; }
    """,
}
OPTIONS: Final = {
    "an error label": Options(error_label=("ERROR",)),
    "another function to start in": Options(entry=("check",)),
    "overflow": Options(check=("overflow",)),
}
