"""Programs that need contracts or invariants which can be inferred."""

from __future__ import annotations

LOCK = """
var held: bool;
procedure main() modifies held;
{
  held := false;
  while (*) { call acquire(); call work(); call release(); }
}
procedure acquire() modifies held; { assert !held; held := true; }
procedure release() modifies held; { assert held; held := false; }
procedure work() modifies held; { if (*) { call release(); call acquire(); call work(); } }
"""
STATES = """
const unique IDLE, BUSY, DONE: int;
var state: int;
procedure main() modifies state;
{
  state := IDLE;
  while (*) { call step(); }
  assert state == IDLE || state == BUSY || state == DONE;
}
procedure step() modifies state;
{
  if (state == IDLE) { state := BUSY; } else if (state == BUSY) { state := DONE; } else { call reset(); }
}
procedure reset() modifies state; { if (*) { state := IDLE; } else { call reset(); } }
"""
COUNTING = """
procedure main(n: int)
{
  var i, j: int;
  assume 0 <= n;
  i := 0; j := 0;
  while (i < n) { i := i + 1; if (*) { j := i; } }
  assert j <= n;
  assert i == n;
}
"""
