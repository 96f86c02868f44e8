// `old` in bodies and contracts refers to the start of the procedure, in loops too.
var g: int;

procedure bump(n: int)
  modifies g;
  ensures g >= old(g);     //~ bounded, by default proved
{
  var i: int;
  i := 0;
  while (i < n)
  {
    g := g + 1;
    assert g > old(g);     //~ bounded, by default proved
    i := i + 1;
  }
}

procedure main(n: int)
  modifies g;
{
  g := 10;
  call bump(n);
  assert g != 12;          //~ violated
}
