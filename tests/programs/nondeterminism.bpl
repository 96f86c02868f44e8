// Choices by `if (*)`, `goto` and `havoc`.
procedure main()
{
  var x: int;
  if (*) { x := 1; } else { x := 2; }
  assert x < 3;            //~ proved
  goto one, two;
one:
  x := x + 10;
  goto done;
two:
  havoc x;
  assume 20 <= x && x <= 21;
  goto done;
done:
  assert x != 12;          //~ violated
  assert x != 21;          //~ violated
  assert x < 22;           //~ proved
}
