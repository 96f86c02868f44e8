/* Calls of the operating system. */
#ifndef _REMUDA_UNISTD_H
#define _REMUDA_UNISTD_H

#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2

ssize_t read(int descriptor, void *target, size_t count);
ssize_t write(int descriptor, const void *source, size_t count);
int close(int descriptor);
off_t lseek(int descriptor, off_t offset, int whence);
int unlink(const char *name);
pid_t getpid(void);
pid_t fork(void);
unsigned int sleep(unsigned int seconds);
int usleep(useconds_t microseconds);
void _exit(int status) __attribute__((__noreturn__));

#endif
