/* The short name of `_Noreturn`. */
#ifndef _REMUDA_STDNORETURN_H
#define _REMUDA_STDNORETURN_H

#define noreturn _Noreturn

#endif
