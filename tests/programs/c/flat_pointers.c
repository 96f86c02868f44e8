// options: memory_model=flat
// Pointers that leave the part of an object that they were made from, and pointers of unknown origin.
#include <stddef.h>
#include <stdlib.h>
void __VERIFIER_assert(int condition);
int nondet_int(void);
void *unknown_pointer(void);

struct element { int value; struct element *next; };
struct owner { int flag; struct element elements[3]; int last; };
struct rows { short first[2], second[2]; };
struct header { unsigned char length, kind; char text[]; };
struct sized { int count; int numbers[]; };
union color { unsigned all; struct { unsigned char parts[3], alpha; } one; };

static struct owner owner;
static struct rows rows;
static int numbers[4], other = 8;
static struct sized sized = {1, {2, 3, 4, 5, 6, 7, 8, 9}};
extern int elsewhere[];

static size_t size_before(void *block) { size_t *size = block; return size[-1]; }

int main(void) {
  struct element *element = &owner.elements[2];
  struct owner *found = (struct owner *)((char *)element - offsetof(struct owner, elements[2]));
  found->flag = 5;
  __VERIFIER_assert(owner.flag == 5);                              //~ proved
  rows.first[1] = 1;
  for (short *p = rows.first + 2; p > rows.first;) *--p = 7;
  __VERIFIER_assert(rows.first[1] == 7 && rows.second[0] == 0);    //~ proved

  struct header *header = malloc(sizeof *header + 4);
  header->kind = 1;
  header->text[-1] = 2;
  __VERIFIER_assert(header->kind == 2);                            //~ proved
  size_t *block = malloc(3 * sizeof *block);
  block[0] = 16;
  __VERIFIER_assert(size_before(block + 1) == 16);                 //~ proved

  int *at = &numbers[3], index = nondet_int() & 3;
  at[-index] = 9;
  __VERIFIER_assert(numbers[3 - index] == 9);                      //~ proved
  __VERIFIER_assert(numbers[0] == 9);                              //~ violated

  union color color;
  color.all = 0;
  color.one.alpha = 255;
  __VERIFIER_assert(color.all == 0xff000000u);                     //~ proved

  int *chosen = nondet_int() ? &other : sized.numbers;
  sized.numbers[7] = 1;
  elsewhere[8] = 2;
  __VERIFIER_assert(*chosen == 8 || *chosen == 2);                 //~ proved

  int *unknown = unknown_pointer();
  __VERIFIER_assert(unknown != &other || *unknown == 8);           //~ proved
  *unknown = 3;
  __VERIFIER_assert(other == 8);                                   //~ violated
  int *number = (int *)((size_t)&other ^ 4096);
  *(int *)((size_t)number ^ 4096) = 6;
  __VERIFIER_assert(other == 6);                                   //~ proved
  return 0;
}
