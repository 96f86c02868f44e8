// What verifiers give a meaning needs no declaration.
int main(void)
{
  int x;
  __CPROVER_assume(x > 3);
  __CPROVER_assert(x != 7, "claim");   //~ violated
  __CPROVER_assert(x > 2, "claim");      //~ proved
  return 0;
}
