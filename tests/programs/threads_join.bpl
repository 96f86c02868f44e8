// options: rounds=2
// A thread is waited for, so its effects are complete; another one is not.
var x: int;
var y: int;
var stopped: bool;
procedure Worker(value: int)
{
  x := value;
  x := value + 1;
  stopped := true;
}
procedure Idler()
{
  y := 1;
}
procedure {:entrypoint} main()
{
  x := 0;
  y := 0;
  stopped := false;
  async call Worker(5);
  async call Idler();
  assume stopped;
  assert x == 6;  //~ bounded
  assert y == 0;  //~ violated
}
