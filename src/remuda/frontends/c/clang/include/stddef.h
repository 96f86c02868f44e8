/* Common definitions. System headers that ask for single ones get them all. */
#ifndef _REMUDA_STDDEF_H
#define _REMUDA_STDDEF_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;
typedef struct {
    long long __first __attribute__((__aligned__(__alignof__(long long))));
    long double __second __attribute__((__aligned__(__alignof__(long double))));
} max_align_t;

#define offsetof(type, member) __builtin_offsetof(type, member)

#endif

#undef NULL
#define NULL ((void *)0)
#undef __need_size_t
#undef __need_ptrdiff_t
#undef __need_wchar_t
#undef __need_wint_t
#undef __need_NULL
