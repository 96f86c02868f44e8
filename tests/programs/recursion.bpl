// options: bound=5
// Recursion costs one unit of bound per procedure occurrence on the stack.
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
  assert r == n;           //~ bounded, by default proved
  assert r != 4;           //~ violated
  assert n >= 0;           //~ proved
}
