// Identities may be bit-vectors.
procedure corral_getThreadID() returns (identity: bv32);
procedure corral_getChildThreadID() returns (identity: bv32);
var seen: bv32;

procedure Child()
{
  var me: bv32;
  call me := corral_getThreadID();
  seen := me;
}

procedure {:entrypoint} main()
{
  var child: bv32;
  seen := 0bv32;
  async call Child();
  call child := corral_getChildThreadID();
  assert child != 1bv32;    //~ bounded
  assume seen != 0bv32;
  assert seen == child;     //~ bounded
  assert seen != 100bv32;   //~ violated
}
