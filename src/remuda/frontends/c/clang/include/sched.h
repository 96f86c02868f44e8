/* Scheduling. */
#ifndef _REMUDA_SCHED_H
#define _REMUDA_SCHED_H

int sched_yield(void);

#endif
