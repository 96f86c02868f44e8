// solvers: z3
// options: rounds=2
// Every thread has an identity; its creator can ask for it.
procedure corral_getThreadID() returns (identity: int);
procedure corral_getChildThreadID() returns (identity: int);
var owner: [int]int;

procedure Child(number: int)
{
  var me: int;
  call me := corral_getThreadID();
  assert me > 1;             //~ bounded
  assert me != 2;            //~ violated
  owner[me] := number;
}

procedure {:entrypoint} main()
{
  var me: int;
  var first: int;
  var second: int;
  call me := corral_getThreadID();
  assert me == 1;            //~ bounded
  async call Child(10);
  call first := corral_getChildThreadID();
  async call Child(20);
  call second := corral_getChildThreadID();
  assert first < second;     //~ bounded
  owner[first] := 0;
  assume owner[first] != 0;
  assert owner[first] == 10; //~ bounded
}
