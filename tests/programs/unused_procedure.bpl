// Nothing that the entry does not reach is claimed to hold.
procedure helper()
{
  assert false;            //~ unreachable
}

procedure {:entrypoint} start()
{
  assert true;             //~ proved
}
