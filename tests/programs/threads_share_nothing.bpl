// Threads that share nothing can be verified for every schedule.
var {:thread_local} mine: int;
var before: int;
var other: int;

procedure Left()
{
  mine := before;
  assert mine == 7;   //~ proved
  other := 1;
  assert other == 1;  //~ proved
}

procedure Right()
{
  assert mine == 7;   //~ violated
}

procedure {:entrypoint} main()
{
  before := 7;
  mine := 3;
  async call Left();
  async call Right();
  assert mine == 3;   //~ proved
}
