// A bounded queue with a lock: two assertions are proved, one is violated.

var capacity: int;
var size: int;
var locked: bool;

procedure Acquire()
  modifies locked;
{
  assert !locked;           // proved: an invariant of the loop below was found, which says why
  locked := true;
}

procedure Push() returns (done: bool)
  modifies size, locked;
{
  call Acquire();
  done := size <= capacity; // the mistake: `<` was meant
  if (done) {
    size := size + 1;
  }
  assert size <= capacity;  // violated: a full queue takes one more
  locked := false;
}

procedure {:entrypoint} Main(rounds: int)
  requires capacity > 0;
  modifies size, locked;
{
  var round: int;
  var cost: int;
  var done: bool;

  size, round, cost, locked := 0, 0, 0, false;
  while (round < rounds) {
    if (*) {
      call done := Push();
    } else {
      size := 0;            // somebody empties the queue
    }
    cost := cost + 2 * round + 1;
    round := round + 1;
  }
  assert cost == round * round; // proved: it is an invariant of the loop itself
}
