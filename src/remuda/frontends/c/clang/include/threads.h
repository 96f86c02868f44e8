/* Threads (C11). */
#ifndef _REMUDA_THREADS_H
#define _REMUDA_THREADS_H

#include <time.h>

typedef unsigned long thrd_t;
typedef int (*thrd_start_t)(void *);
typedef struct {
    int __locked;
    int __kind;
} mtx_t;
typedef struct {
    int __waiting;
} cnd_t;

enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };

#define thread_local _Thread_local

int thrd_create(thrd_t *thread, thrd_start_t function, void *argument);
int thrd_join(thrd_t thread, int *result);
int thrd_detach(thrd_t thread);
void thrd_exit(int result) __attribute__((__noreturn__));
thrd_t thrd_current(void);
int thrd_equal(thrd_t one, thrd_t other);
void thrd_yield(void);
int thrd_sleep(const struct timespec *duration, struct timespec *remaining);

int mtx_init(mtx_t *mutex, int type);
int mtx_lock(mtx_t *mutex);
int mtx_timedlock(mtx_t *mutex, const struct timespec *until);
int mtx_trylock(mtx_t *mutex);
int mtx_unlock(mtx_t *mutex);
void mtx_destroy(mtx_t *mutex);

int cnd_init(cnd_t *condition);
int cnd_wait(cnd_t *condition, mtx_t *mutex);
int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *until);
int cnd_signal(cnd_t *condition);
int cnd_broadcast(cnd_t *condition);
void cnd_destroy(cnd_t *condition);

#endif
