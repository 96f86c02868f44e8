// Reals and conversions.
procedure main(x: real, n: int)
{
  var y: real;
  y := x / 2.0;
  assert y + y == x;          //~ proved
  assert int(real(n)) == n;   //~ proved
  assert real(int(x)) == x;   //~ violated
  assert x * x >= 0.0;        //~ proved
}
