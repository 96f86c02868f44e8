// options: rounds=2 bound=2
// solvers: z3
// Blocks that are not interrupted, whichever way control leaves them.
var x: int;
var y: int;

procedure {:entrypoint} ULTIMATE.start()
{
  var a: int;
  var b: int;
  x, y := 0, 0;
  fork 1 both(true);
  fork 1 both(false);
  fork 2 loop();
  atomic { a := x; b := y; }
  assert a == b;  //~ bounded
  a := x;
  b := y;
  assert a == b;  //~ violated
}

procedure both(early: bool)
{
  atomic {
    x := x + 1;
    atomic { y := y + 1; }
    if (early) { return; }
    assert x == y;  //~ bounded
  }
}

procedure loop()
{
  while (true) {
    atomic {
      x := x + 1;
      if (x > 1) { y := y + 1; break; }
      y := y + 1;
    }
  }
  assert x == y;  //~ bounded
}
