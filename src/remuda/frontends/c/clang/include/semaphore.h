/* Semaphores. */
#ifndef _REMUDA_SEMAPHORE_H
#define _REMUDA_SEMAPHORE_H

typedef struct {
    unsigned int __value;
} sem_t;

int sem_init(sem_t *semaphore, int shared, unsigned int value);
int sem_destroy(sem_t *semaphore);
int sem_wait(sem_t *semaphore);
int sem_trywait(sem_t *semaphore);
int sem_post(sem_t *semaphore);
int sem_getvalue(sem_t *semaphore, int *value);

#endif
