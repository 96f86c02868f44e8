// options: bound=3
// A loop that never ends: nothing behind it is reached, within the bound or beyond.
procedure main()
{
  var x: int;
  x := 0;
  while (true)
  {
    x := x + 1;
    assert x != 3;         //~ violated
  }
  assert false;            //~ unreachable
}
