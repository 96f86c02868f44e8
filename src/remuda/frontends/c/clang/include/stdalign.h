/* The short names of `_Alignas` and `_Alignof`. */
#ifndef _REMUDA_STDALIGN_H
#define _REMUDA_STDALIGN_H

#define alignas _Alignas
#define alignof _Alignof
#define __alignas_is_defined 1
#define __alignof_is_defined 1

#endif
