// A bounded queue with a lock: two assertions are proved, one is violated.

var capacity: int;
var size: int;
var locked: bool;

procedure Acquire()
  modifies locked;
{
  assert !locked;           // proved: with an inferred invariant of the loop below
  locked := true;
}

procedure Push() returns (done: bool)
  modifies size, locked;
{
  call Acquire();
  done := size <= capacity; // the defect: this should be `<`
  if (done) {
    size := size + 1;
  }
  assert size <= capacity;  // violated: a full queue accepts one more element
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
      size := 0;            // another process empties the queue
    }
    cost := cost + 2 * round + 1;
    round := round + 1;
  }
  assert cost == round * round; // proved: the condition is an invariant of the loop
}
