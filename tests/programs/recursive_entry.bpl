// options: bound=3
// A global's `where` holds where an execution starts, not at inner calls of the entry.
var g: int where g > 0;

procedure {:entrypoint} main()
  modifies g;
{
  if (*) {
    g := -5;
    call main();
  } else {
    assert g > 0;          //~ violated
  }
}
