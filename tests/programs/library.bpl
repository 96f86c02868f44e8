// options: entry=*
// Every procedure may be the start; the worst verdict over all starts counts.
var g: int;

procedure set(x: int)
  requires x > 0;
  modifies g;
{
  g := x;
  assert g > 0;            //~ proved
}

procedure use()
  modifies g;
{
  call set(1);             //~ proved
  assert g == 1;           //~ proved
  call set(g - 1);         //~ violated
}
