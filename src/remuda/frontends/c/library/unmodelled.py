"""Functions of the library and of compilers that have no model.

Unknown functions are assumed to change little (see `lowering.unknown_functions`). Functions of the library that write
arrays or texts, keep pointers, or call back do more than that, so calls of them are unsupported. Functions that write
nothing need no model: they return any value.
"""

from __future__ import annotations

from typing import Final

_WRITING: Final = """
strxfrm strerror_r __xpg_strerror_r swab memfrob strfry wmemcpy wmemmove wmemset wcscpy wcsncpy wcscat wcsncat
wcstok wcsxfrm wcpcpy wcpncpy mbtowc wctomb mbstowcs wcstombs mbrtowc wcrtomb mbsrtowcs wcsrtombs mbsnrtowcs
wcsnrtombs strfmon ecvt_r fcvt_r explicit_bzero memset_s memcpy_s strcpy_s strcat_s
fgetpos fread_unlocked fgets_unlocked fgetws fwscanf wscanf swscanf vfwscanf vwscanf vswscanf
tmpnam tmpnam_r tempnam mkstemp mkdtemp mkostemp ctermid cuserid open_memstream fmemopen readv
preadv pread readlink readlinkat getcwd getwd realpath pipe pipe2 socketpair recvfrom recvmsg recvmmsg
getsockopt getsockname getpeername accept4 pselect ppoll epoll_wait epoll_pwait stat fstat lstat fstatat statx
statfs fstatfs statvfs fstatvfs getdents scandir readdir_r fts_read nftw ftw wordexp mremap shmat shmdt msgrcv
shmctl msgctl aio_read aio_write lio_listio
strftime wcsftime strptime mktime timegm gmtime_r localtime_r ctime_r asctime_r getitimer setitimer
clock_getres clock_nanosleep timer_create timer_gettime timer_settime adjtime ntp_gettime
gethostname getdomainname getlogin_r ttyname_r getgroups getresuid getresgid getrlimit setrlimit prlimit
getrusage sysinfo uname wait3 wait4 waitid getpwnam_r getpwuid_r getgrnam_r getgrgid_r getaddrinfo getnameinfo
gethostbyname_r inet_ntop inet_pton inet_aton getrandom getentropy tcgetattr confstr sigemptyset sigfillset
sigaddset sigdelset sigprocmask sigpending sigsuspend sigwait sigwaitinfo sigtimedwait sigaltstack
pthread_sigmask getcontext setcontext makecontext swapcontext
at_quick_exit lfind lsearch tsearch tfind tdelete twalk hsearch hcreate hsearch_r insque remque setstate
initstate random_r srandom_r initstate_r setstate_r drand48_r erand48 nrand48 jrand48 seed48 lcong48 getopt
getopt_long getopt_long_only getsubopt regcomp regexec argp_parse dl_iterate_phdr dladdr backtrace
remquo remquof remquol sincos sincosf sincosl lgamma_r lgammaf_r lgammal_r strtoimax_l fegetenv feupdateenv
fegetexceptflag fesetexceptflag
"""
WRITING: Final = frozenset(_WRITING.split())

HARMLESS: Final = (
    "__builtin_return_address",
    "__builtin_frame_address",
    "__builtin_extract_return_addr",
    "__builtin_frob_return_addr",
    "__builtin_cpu_init",
    "__builtin_cpu_is",
    "__builtin_cpu_supports",
    "__builtin_readcyclecounter",
    "__builtin_ia32_rdtsc",
    "__builtin_ia32_pause",
    "__builtin___clear_cache",
    "__builtin_debugtrap",
)
