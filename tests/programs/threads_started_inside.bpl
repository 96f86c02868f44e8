// A thread started in an atomic section takes part in the same round, once its creator has left the section.
// options: rounds=2
procedure corral_atomic_begin();
procedure corral_atomic_end();
var pending: int;
var x: int;

procedure Second()
{
  call corral_atomic_begin();
  assume x == 2;
  x := 3;
  pending := pending - 1;
}

procedure First()
{
  call corral_atomic_begin();
  assume x == 1;
  x := 2;
  pending := pending - 1;
}

procedure {:entrypoint} main()
{
  x := 1;
  call corral_atomic_begin();
  pending := 1;
  async call Second();
  pending := pending + 1;
  async call First();
  call corral_atomic_end();
  assume pending == 0;
  assert x == 3;  //~ bounded
  assert x != 3;  //~ violated
}
