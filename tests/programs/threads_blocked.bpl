// options: rounds=2
// A thread that waits for ever does not keep others from failing.
var x: int;

procedure Waiting()
{
  assume x == 5;
  assert false;   //~ bounded
}

procedure Failing()
{
  x := 1;
  assert x != 1;  //~ violated
}

procedure {:entrypoint} main()
{
  x := 0;
  async call Waiting();
  async call Failing();
  assume false;
  assert false;   //~ bounded
}
