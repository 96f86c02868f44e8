// Whoever calls a procedure without a body is believed to keep its free preconditions, as Boogie's stratified inlining does.
var top: int;

procedure allocate(size: int) returns (start: int);
  free requires size >= 0;
  modifies top;
  free ensures start == old(top);
  free ensures top >= old(top) + size;

procedure {:entrypoint} main(size: int)
  modifies top;
{
  var before, start: int;
  before := top;
  call start := allocate(size);
  assert size >= 0; //~ proved
  assert before <= top; //~ proved
  assert before < top; //~ violated
}
