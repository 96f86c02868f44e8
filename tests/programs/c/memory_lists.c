// Records that point to each other, and from the inside to their whole.
void __VERIFIER_assert(int condition);
#define OFFSET(type, member) ((unsigned long)&((type *)0)->member)
#define WHOLE(pointer, type, member) ((type *)((char *)(pointer)-OFFSET(type, member)))

struct list { struct list *next, *prev; };
struct item { int key; struct list link; int value; };

static void add(struct list *head, struct list *new) {
  new->next = head->next;
  new->prev = head;
  head->next->prev = new;
  head->next = new;
}

static void delete(struct list *entry) {
  entry->next->prev = entry->prev;
  entry->prev->next = entry->next;
}

int main(void) {
  struct list head = {&head, &head};
  struct item a = {1, {0}, 10}, b = {2, {0}, 20}, c = {3, {0}, 30};
  add(&head, &a.link);
  add(&head, &b.link);
  add(&head, &c.link);
  struct item *first = WHOLE(head.next, struct item, link);
  __VERIFIER_assert(first == &c && first->value == 30);          //~ proved
  int sum = 0;
  for (struct list *p = head.next; p != &head; p = p->next) {
    struct item *at = WHOLE(p, struct item, link);
    sum = sum * 100 + at->value;
    at->value++;
  }
  __VERIFIER_assert(sum == 302010);                              //~ proved
  __VERIFIER_assert(a.value == 11 && b.value == 21 && b.key == 2); //~ proved
  delete(&b.link);
  __VERIFIER_assert(head.next->next == &a.link);                 //~ proved
  __VERIFIER_assert(a.link.prev == &b.link);                     //~ violated
  return 0;
}
