// A bounded queue with a lock. Three assertions, three kinds of answer.

var capacity: int;
var size: int;
var locked: bool;

procedure Acquire()
  modifies locked;
{
  assert !locked;           // bounded: no round that the bound allows finds the lock taken
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
  var done: bool;

  size, round, locked := 0, 0, false;
  while (round < rounds) {
    if (*) {
      call done := Push();
    } else {
      size := 0;            // somebody empties the queue
    }
    round := round + 1;
  }
  assert round >= rounds;   // proved: however often the loop runs, this is why it ends
}
