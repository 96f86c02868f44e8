// options: rounds=2
// A program that yields is interrupted there only.
var x: int;
var y: int;
procedure Other()
{
  assert x == y;  //~ violated
  x := 2;
  y := 2;
}
procedure {:entrypoint} main()
{
  x := 0;
  y := 0;
  async call Other();
  x := 1;
  y := 1;
  yield;
  assert x == y;  //~ bounded
  assert x == 1;  //~ violated
  x := 3;
  assert y != 3;  //~ bounded
  yield;
  y := 3;
}
