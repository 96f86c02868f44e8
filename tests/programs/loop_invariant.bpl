// options: bound=3
// Loop invariants are assertions wherever the loop head is reached.
procedure main(n: int)
{
  var i: int;
  i := 0;
  while (i < n)
    invariant 0 <= i;      //~ bounded, by default proved
    invariant i < 2 || n > 7; //~ violated
  {
    i := i + 1;
  }
}
