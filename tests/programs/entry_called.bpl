// A global's `where` holds where an execution starts, not where an entry is called.
var g: int where g >= 0;

procedure {:entrypoint} main()
  modifies g;
{
  g := -1;
  call other(3);            //~ proved
}

procedure {:entrypoint} other(x: int)
  requires x > 0;
{
  assert g != 7;            //~ violated
  assert g != -1;          //~ violated
}
