// A long list in an array: pointers in the trace.
void __VERIFIER_assert(int condition);

struct node {
  int value;
  struct node *next;
};

static struct node nodes[9000];

int main(void) {
  struct node *first = 0;
  for (int i = 0; i < 9000; i++) {
    struct node *node = &nodes[i];
    node->value = i;
    node->next = first;
    first = node;
  }
  int sum = 0;
  for (struct node *node = first; node; node = node->next) sum += node->value % 7;
  __VERIFIER_assert(sum != 26995);                //~ violated
  return 0;
}
