// The recursive procedure's failure, once found, does not stand in the way of a proof after the call.
procedure main()
{
  var n, x: int;
  x := 1;
  call count(n);
  assert x == 1;           //~ proved
}

procedure count(n: int)
{
  assert n != 1;           //~ violated
  if (n > 0)
  {
    call count(n - 1);
  }
}
