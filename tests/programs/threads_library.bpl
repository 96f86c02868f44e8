// options: rounds=2
// A thread may be a procedure without a body: it does what it may, at any time.
var x: int;
var y: int;
procedure Set();
  modifies x;
  ensures x > old(x);

procedure {:entrypoint} main()
{
  x := 0;
  y := 0;
  async call Set();
  assert x >= 0;  //~ bounded
  y := x;
  assert y == x;  //~ violated
}
