/* Dates and clocks. */
#ifndef _REMUDA_TIME_H
#define _REMUDA_TIME_H

#include <sys/types.h>

typedef long clock_t;
#define CLOCKS_PER_SEC 1000000L

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
};

clock_t clock(void);
time_t time(time_t *result);
double difftime(time_t end, time_t start);
time_t mktime(struct tm *broken_down);
struct tm *gmtime(const time_t *time);
struct tm *localtime(const time_t *time);
char *asctime(const struct tm *broken_down);
char *ctime(const time_t *time);
size_t strftime(char *restrict target, size_t size, const char *restrict format,
                const struct tm *restrict broken_down);
int nanosleep(const struct timespec *request, struct timespec *remaining);

#endif
