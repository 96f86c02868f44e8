// options: bound=3
// Nested loops over inputs, left by break and by goto.
procedure main(n: int, m: int)
{
  var i: int;
  var j: int;
  i := 0;
  outer: while (i < n)
  {
    j := 0;
    while (j < m)
    {
      if (i + j == 3) { break outer; }
      if (j == 7) { goto done; }
      j := j + 1;
    }
    i := i + 1;
  }
  assert i + j != 3;       //~ violated
done:
  assert i <= 1;           //~ violated
  return;
}
