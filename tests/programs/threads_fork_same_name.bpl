// solvers: z3
// Of several threads with one name a join takes any, each of them once.
procedure {:entrypoint} ULTIMATE.start()
{
  var first: int;
  var second: int;
  var third: int;
  fork 7 number(1);
  fork 7 number(2);
  join 7 assign first;
  assert first == 1;  //~ violated
  assert first == 1 || first == 2;  //~ bounded
  join 7 assign second;
  assert first != second;  //~ bounded
  assert first + second == 3;  //~ bounded
  join 7 assign third;
  assert false;  //~ bounded
}

procedure number(n: int) returns (r: int) { r := n; }
