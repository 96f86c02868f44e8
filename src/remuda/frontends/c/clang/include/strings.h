/* Older functions on strings. */
#ifndef _REMUDA_STRINGS_H
#define _REMUDA_STRINGS_H

#include <stddef.h>

void bcopy(const void *source, void *target, size_t count);
void bzero(void *target, size_t count);
int bcmp(const void *left, const void *right, size_t count);
int ffs(int value);
char *index(const char *text, int character);
char *rindex(const char *text, int character);
int strcasecmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t count);

#endif
