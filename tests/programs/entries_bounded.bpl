// options: bound=4
// Proved from one entry, unreachable up to the bound from the other: together, bounded.
procedure {:entrypoint} straight()
{
  call callee(1);
}

procedure {:entrypoint} looping()
{
  var i: int;
  i := 0;
  while (*)
  {
    i := i + 1;
  }
  if (i > 10)
  {
    call callee(0);
  }
}

procedure callee(x: int)
{
  assert x > 0;            //~ bounded
}
