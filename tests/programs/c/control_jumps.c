// Jumps: over code, into blocks, backwards, out of nested loops, and to computed labels.
void __VERIFIER_assert(int condition);
int __VERIFIER_nondet_int(void);

static int into(int x) {
  int r = 0;
  if (x) goto in;
  {
    r = 1;
  in:
    r += 2;
  }
  while (r < 5) {
    r++;
    if (r == 4) goto out;
  }
  r = 50;
out:
  return r;
}

static int back(void) {
  int i = 0, s = 0;
again:
  s += i;
  if (i++ < 5) goto again;
  return s;
}

static int out_of_two(void) {
  int n = 0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      if (j == 2) goto next;
      if (i == 2) goto done;
      n++;
    }
  next:;
  }
done:
  return n;
}

static int two_entries(int x) {
  int n = 0;
  if (x) goto middle;
top:
  n += 1;
middle:
  n += 10;
  if (n < 25) goto top;
  return n;
}

static int table(int i) {
  static const void *const labels[] = {&&a, &&b, &&c};
  int r = 0;
  goto *labels[i];
a: r += 1;
b: r += 10;
c: r += 100;
  return r;
}

static int other_table(int i) {
  static const void *const labels[] = {&&b, &&a};
  goto *labels[i];
a: return 1;
b: return 2;
}

static int local_label(int i) {
  void *to = i ? &&x : &&y;
  goto *to;
x: return 1;
y: return 2;
}

int main(void) {
  __VERIFIER_assert(into(1) == 4);                  //~ proved
  __VERIFIER_assert(into(0) == 4);                  //~ proved
  __VERIFIER_assert(back() == 15);                  //~ proved
  __VERIFIER_assert(out_of_two() == 4);             //~ proved
  __VERIFIER_assert(two_entries(0) == 33);          //~ proved
  __VERIFIER_assert(two_entries(1) == 32);          //~ proved
  __VERIFIER_assert(table(0) == 111);               //~ proved
  __VERIFIER_assert(table(2) == 100);               //~ proved
  __VERIFIER_assert(other_table(0) == 2);           //~ proved
  __VERIFIER_assert(local_label(0) == 2);           //~ proved
  int r = 6, z = __VERIFIER_nondet_int();
  r = ({ if (z == 2) goto skip; 5; });
  __VERIFIER_assert(r == 5);                        //~ proved
  r = 6;
skip:
  __VERIFIER_assert(r == 6);                        //~ proved
  __VERIFIER_assert(z != 2);                        //~ violated
  return 0;
}
