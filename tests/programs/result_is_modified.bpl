// The result goes to a global that the procedure changes as well: the result is assigned last.
var g: int;

procedure library() returns (r: int);
  modifies g;
  ensures r != g;
  ensures r > old(g);

procedure main()
  modifies g;
{
  var before: int;
  before := g;
  call g := library();
  assert g > before;       //~ proved
  assert g != 5;           //~ violated
}
