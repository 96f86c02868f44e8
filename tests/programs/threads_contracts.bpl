// options: rounds=2
// A thread's precondition is checked where it is started; postconditions where a procedure returns.
var x: int;

procedure Worker(n: int)
  requires n > 0;
  free requires x >= 0;
{
  var r: int;
  assert n > 0;        //~ bounded
  assert x >= 0;       //~ violated
  call r := Next(n);
  assert r > n;        //~ bounded
}

procedure Next(n: int) returns (r: int)
  ensures r == n + 1;  //~ bounded
  ensures x == old(x); //~ violated
{
  r := n + 1;
}

procedure {:entrypoint} main()
{
  x := 0;
  async call Worker(1); //~ bounded
  x := 0 - 1;
  async call Worker(x); //~ violated
}
