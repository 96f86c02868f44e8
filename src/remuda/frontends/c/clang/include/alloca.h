/* Blocks that end with the function. */
#ifndef _REMUDA_ALLOCA_H
#define _REMUDA_ALLOCA_H

#include <stddef.h>

#undef alloca
void *alloca(size_t size);
#define alloca(size) __builtin_alloca(size)

#endif
