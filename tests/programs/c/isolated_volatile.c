// options: isolate=true
// What a volatile object holds may change between two looks at it, in a loop alone as in the program.
void __VERIFIER_assert(int condition);

volatile int device;

static void reads_a_device(void) {
  while (device) {
    int seen = device;
    __VERIFIER_assert(seen == device);      //~ violated
    __VERIFIER_assert(seen - seen == 0);    //~ proved
  }
}

int main(void) {
  reads_a_device();
  return 0;
}
