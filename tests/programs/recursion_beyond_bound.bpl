// options: bound=3
// The only violation needs four occurrences of `down`, so it is out of reach.
procedure down(n: int) returns (r: int)
{
  if (n <= 0) {
    r := 0;
  } else {
    call r := down(n - 1);
    r := r + 1;
  }
}

procedure main()
{
  var n: int;
  var r: int;
  assume n >= 0;
  call r := down(n);
  assert r != 3;           //~ bounded
}
