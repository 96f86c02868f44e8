// Assertions one after the other: a failing one ends its execution, the next is judged on those that go on.
procedure main()
{
  var x: int;
  var y: int;
  y := x + 1;
  assert y > x;            //~ proved
  assert x >= 0;           //~ violated
  assert x > -1;           //~ proved
  assert y == 5;           //~ violated
  assume false;
  assert x == y;           //~ unreachable
}
