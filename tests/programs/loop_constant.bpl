// options: bound=1
// Constant trip counts are unrolled without being charged: 27 iterations and a nested pair.
procedure main()
{
  var i: int;
  var j: int;
  var s: int;
  i := 0;
  s := 0;
  while (i < 27)
  {
    s := s + i;
    i := i + 1;
  }
  assert s == 351;         //~ proved
  i := 0;
  s := 0;
  while (i < 3)
  {
    j := 0;
    while (j < 4) { s := s + 1; j := j + 1; }
    i := i + 1;
  }
  assert s == 12;          //~ proved
  assert s != 12;          //~ violated
}
