// The record that begins with an array has the same offset as its first element: members behind the array are not elements of it.
int nondet(void);
void __VERIFIER_assert(int condition);
struct record { signed char bytes[4]; long number; };
static struct record records[3];

int main(void) {
  int n = nondet() & 1;
  records[1].bytes[3] = 15;
  records[2] = records[1];
  signed char *p = &records[2].bytes[n];
  __VERIFIER_assert(records[2].number == 0);  //~ proved
  __sync_add_and_fetch(&p, 1);
  *p = 18;
  records[n].number = 5;
  __VERIFIER_assert(records[2].number == 0);  //~ proved
  __VERIFIER_assert(records[1].number == 0);  //~ violated
  return 0;
}
