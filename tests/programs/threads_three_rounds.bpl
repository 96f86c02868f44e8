// Reader sees 2, then 1: each change needs a round of its own.
var x: int;
procedure Reader()
{
  var first: int;
  var second: int;
  first := x;
  second := x;
  assert !(first == 2 && second == 1);  //~ violated
}
procedure One() { x := 1; }
procedure Two() { x := 2; }
procedure {:entrypoint} main()
{
  x := 0;
  async call Reader();
  async call One();
  async call Two();
}
