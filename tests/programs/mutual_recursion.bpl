// options: bound=3
procedure even(n: int) returns (r: bool)
{
  if (n == 0) { r := true; } else { call r := odd(n - 1); }
}

procedure odd(n: int) returns (r: bool)
{
  if (n == 0) { r := false; } else { call r := even(n - 1); }
}

procedure main(n: int)
{
  var r: bool;
  assume n >= 0;
  call r := even(n);
  assert r ==> n mod 2 == 0;  //~ bounded
  assert r ==> n != 4;        //~ violated
}
