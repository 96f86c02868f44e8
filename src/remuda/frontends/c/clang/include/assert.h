/* Assertions. Included again, it follows what NDEBUG is now. */
#undef assert

#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif

#ifndef _REMUDA_ASSERT_H
#define _REMUDA_ASSERT_H

#define static_assert _Static_assert

void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function)
    __attribute__((__noreturn__));

#endif
