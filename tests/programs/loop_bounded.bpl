// options: bound=4
// A loop whose trip count depends on an input: bounded, and a violation inside it that needs three iterations.
procedure main()
{
  var i: int;
  var n: int;
  i := 0;
  while (i < n)
  {
    assert i != 2 || n == 9;  //~ violated
    i := i + 1;
  }
  assert i >= n;           //~ proved
  assert n > 0 ==> i == n; //~ bounded, by default proved
}
