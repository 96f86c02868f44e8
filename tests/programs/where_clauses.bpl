// `where` is assumed for what starts arbitrary or is havocked.
var g: int where g >= 0;

procedure main() returns (r: int where r < 100)
  modifies g;
{
  var x: int where x > 5;
  assert g >= 0;           //~ proved
  assert x > 5;            //~ proved
  assert r < 100;          //~ proved
  x := 0;
  havoc x;
  assert x >= 6;           //~ proved
  g := -1;
  assert g < 0;            //~ proved
  havoc g;
  assert g != 7;           //~ violated
}
