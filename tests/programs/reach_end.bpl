// options: property=reach-end
// In reachability form, assertions are assumptions and the entry's end is the failure.
var g: int;

procedure step()
  modifies g;
{
  g := g + 1;
}

procedure {:entrypoint} main() //~ violated
  modifies g;
{
  g := 0;
  call step();
  assert g > 0;
  assume g == 1;
}
