// options: bound=4
// A cycle with two entries.
procedure main()
{
  var x: int;
  x := 0;
  goto A, B;
A:
  x := x + 1;
  assert x < 3 || x > 9;   //~ violated
  goto B, C;
B:
  x := x + 2;
  goto A, C;
C:
  assert x >= 1;           //~ proved
  assert x != 2;           //~ violated
  return;
}
