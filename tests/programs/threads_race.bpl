// options: rounds=2
// solvers: z3
// Two threads add to a counter, once in two steps and once in one; the main thread waits for both.
var loose: int;
var tight: int;
var done: [int]bool;

procedure Add(me: int)
{
  var copy: int;
  copy := loose;
  loose := copy + 1;
  tight := tight + 1;
  done[me] := true;
}

procedure {:entrypoint} main()
{
  loose := 0;
  tight := 0;
  done[1] := false;
  done[2] := false;
  async call Add(1);
  async call Add(2);
  assume done[1];
  assume done[2];
  assert tight == 2;  //~ bounded
  assert loose >= 1;  //~ bounded
  assert loose == 2;  //~ violated
}
