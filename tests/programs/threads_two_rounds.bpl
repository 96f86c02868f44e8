// options: rounds=2
// As threads_three_rounds.bpl, with a round less than it takes.
var x: int;
procedure Reader()
{
  var first: int;
  var second: int;
  first := x;
  second := x;
  assert !(first == 2 && second == 1);  //~ bounded
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
