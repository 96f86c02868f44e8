// Calls in loops, in branches, of procedures with loops of their own.
// options: bound=3
var state: int;

procedure {:entrypoint} main()
  modifies state;
{
  var n: int;
  state := 0;
  havoc n;
  while (n > 0) {
    if (*) {
      call step(1);
    } else {
      call step(2);
    }
    n := n - 1;
  }
  assert state != 3;             //~ violated
  assert state != 4;             //~ violated
  assert state <= 4;             //~ bounded
  if (state == 0) {
    call step(1);
  } else {
    call step(2);
  }
  assert state != 0;             //~ bounded, by default proved
}

procedure step(by: int)
  modifies state;
{
  var i: int;
  havoc i;
  assume i == 1 || i == by + by;
  while (i > 0) {
    state := state + 1;
    i := i - 1;
  }
  assert i <= 0;                 //~ proved
  assert i == 0;                 //~ bounded, by default proved
}
