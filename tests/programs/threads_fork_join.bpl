// solvers: z3
// A join waits for the thread of that name, and takes its result. Names may have several parts, and threads of
// different procedures may share one.
var steps: int;

procedure {:entrypoint} ULTIMATE.start()
{
  var up: int;
  var down: int;
  steps := 0;
  fork 1 increment(5);
  fork 2, 2 decrement(5);
  assert steps == 0;  //~ violated
  join 1 assign up;
  assert up == 6;  //~ bounded
  join 2, 2 assign down;
  assert down == 4;  //~ bounded
  assert steps == 2;  //~ bounded
  join 3 assign down;
  assert false;  //~ bounded
}

procedure increment(n: int) returns (r: int) { r := n + 1; steps := steps + 1; }
procedure decrement(n: int) returns (r: int) { r := n - 1; steps := steps + 1; }
