// Failures below the entry, at several depths, through globals and results.
var g: int;

procedure increment()
  modifies g;
{
  g := g + 1;
  assert g != 3;           //~ violated
}

procedure middle(n: int) returns (r: int)
  modifies g;
{
  call increment();
  r := n + g;
  assert r >= n;           //~ proved
}

procedure main()
  modifies g;
{
  var a: int;
  g := 0;
  call a := middle(5);
  assert a == 6;           //~ proved
  call a := middle(a);
  assert a == 8;           //~ proved
  call a := middle(a);
  assert false;            //~ unreachable
}
