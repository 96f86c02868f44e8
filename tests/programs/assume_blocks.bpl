// An assumption in a callee ends executions there; what follows is vacuous, and said to be.
procedure stop(x: int)
{
  assume x > 10;
}

procedure main()
{
  call stop(5);
  assert false;            //~ unreachable
}
