// options: rounds=2
// Nothing can interrupt the procedures that only start threads; they start with their first statement all the same.
var x: int;
procedure Writer()
{
  x := 1;
  yield;
  assert x == 1;  //~ violated
}
procedure Other() { x := 0; }
procedure Start()
{
  var y: int;
  y := 2;
  async call Check(y);
}
procedure Check(y: int)
{
  assert y == 2;  //~ bounded
}
procedure {:entrypoint} main()
{
  async call Writer();
  async call Other();
  call Start();
}
