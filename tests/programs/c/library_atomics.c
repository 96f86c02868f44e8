// Atomic operations, one at a time.
extern void __VERIFIER_assert(int condition);

static int counter = 5;
static int *volatile shared;

int main(void) {
  __VERIFIER_assert(__sync_fetch_and_add(&counter, 3) == 5 && counter == 8);  //~ proved
  __VERIFIER_assert(__sync_sub_and_fetch(&counter, 2) == 6);  //~ proved
  __VERIFIER_assert(__sync_fetch_and_nand(&counter, 3) == 6 && counter == ~2);  //~ proved
  __VERIFIER_assert(__sync_bool_compare_and_swap(&counter, ~2, 9) && counter == 9);  //~ proved
  __VERIFIER_assert(__sync_val_compare_and_swap(&counter, 1, 7) == 9 && counter == 9);  //~ proved
  int expected = 4;
  __VERIFIER_assert(!__atomic_compare_exchange_n(&counter, &expected, 1, 0, 5, 5) && expected == 9);  //~ proved
  __VERIFIER_assert(__atomic_compare_exchange_n(&counter, &expected, 1, 0, 5, 5) && counter == 1);  //~ proved
  __VERIFIER_assert(__atomic_exchange_n(&counter, 3, 5) == 1 && __atomic_load_n(&counter, 5) == 3);  //~ proved
  __atomic_store_n(&shared, &counter, 5);
  int *found = __atomic_load_n(&shared, 5);
  *found = 11;
  __VERIFIER_assert(counter == 11);  //~ proved
  __VERIFIER_assert(__atomic_add_fetch(&counter, 1, 5) == 12);  //~ proved
  __sync_synchronize();
  __sync_lock_release(&counter);
  __VERIFIER_assert(counter == 0);  //~ proved
  return 0;
}
