// options: bound=4
// A cycle with two entries, one of which is also the header of a loop of its own.
procedure main()
{
  var x: int;
  x := 0;
  goto A, B;
A:
  x := x + 1;
  assert x != 3;           //~ violated
  goto B, C, D;
B:
  x := x + 2;
  goto A;
C:
  goto A;
D:
  assert x >= 1;           //~ bounded, by default proved
  assert x != 2;           //~ violated
}
