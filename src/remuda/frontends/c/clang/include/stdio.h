/* Input and output. */
#ifndef _REMUDA_STDIO_H
#define _REMUDA_STDIO_H

#include <stdarg.h>
#include <stddef.h>

typedef struct _IO_FILE FILE;
typedef long fpos_t;

#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr

int printf(const char *restrict format, ...);
int fprintf(FILE *restrict stream, const char *restrict format, ...);
int sprintf(char *restrict target, const char *restrict format, ...);
int snprintf(char *restrict target, size_t size, const char *restrict format, ...);
int vprintf(const char *restrict format, va_list arguments);
int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments);
int vsprintf(char *restrict target, const char *restrict format, va_list arguments);
int vsnprintf(char *restrict target, size_t size, const char *restrict format, va_list arguments);
int scanf(const char *restrict format, ...);
int fscanf(FILE *restrict stream, const char *restrict format, ...);
int sscanf(const char *restrict text, const char *restrict format, ...);
int vscanf(const char *restrict format, va_list arguments);
int vfscanf(FILE *restrict stream, const char *restrict format, va_list arguments);
int vsscanf(const char *restrict text, const char *restrict format, va_list arguments);

int getchar(void);
int getc(FILE *stream);
int fgetc(FILE *stream);
char *fgets(char *restrict target, int size, FILE *restrict stream);
char *gets(char *target);
int putchar(int character);
int putc(int character, FILE *stream);
int fputc(int character, FILE *stream);
int fputs(const char *restrict text, FILE *restrict stream);
int puts(const char *text);
int ungetc(int character, FILE *stream);

FILE *fopen(const char *restrict name, const char *restrict mode);
FILE *freopen(const char *restrict name, const char *restrict mode, FILE *restrict stream);
FILE *fdopen(int descriptor, const char *mode);
FILE *tmpfile(void);
char *tmpnam(char *target);
int fclose(FILE *stream);
int fflush(FILE *stream);
int fileno(FILE *stream);
void setbuf(FILE *restrict stream, char *restrict buffer);
int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size);
size_t fread(void *restrict target, size_t size, size_t count, FILE *restrict stream);
size_t fwrite(const void *restrict source, size_t size, size_t count, FILE *restrict stream);
int fgetpos(FILE *restrict stream, fpos_t *restrict position);
int fsetpos(FILE *stream, const fpos_t *position);
int fseek(FILE *stream, long offset, int whence);
long ftell(FILE *stream);
void rewind(FILE *stream);
void clearerr(FILE *stream);
int feof(FILE *stream);
int ferror(FILE *stream);
void perror(const char *text);
int remove(const char *name);
int rename(const char *old_name, const char *new_name);

#endif
