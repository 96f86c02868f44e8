// Two ways into a recursion of two procedures: how often each is on the stack depends on the way, and the bound with it.
// options: bound=2
var depth: int;

procedure {:entrypoint} main()
  modifies depth;
{
  depth := 0;
  if (*) {
    call even();
  } else if (*) {
    call odd();
  } else {
    call twice();
  }
  assert depth == 0;   //~ proved
}

procedure twice()
  modifies depth;
{
  call even();
  call even();
  assert depth == 0;   //~ proved
}

procedure even()
  modifies depth;
  ensures depth == old(depth);   //~ bounded, by default proved
{
  depth := depth + 1;
  if (*) {
    call odd();
  }
  call leaf(false);
  depth := depth - 1;
}

procedure odd()
  modifies depth;
  ensures depth == old(depth);   //~ bounded, by default proved
{
  depth := depth + 1;
  if (*) {
    call even();
  } else if (*) {
    call even();
    call even();
  }
  call leaf(true);
  depth := depth - 1;
}

procedure leaf(is_odd: bool)
{
  assert depth < 4;              //~ violated
  assert is_odd || depth != 3;   //~ violated
  assert depth < 5;              //~ bounded, by default proved
}
