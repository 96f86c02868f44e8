procedure corral_assert_not_reachable();
procedure corral_getThreadID() returns (id: int);
procedure {:entrypoint} main() { var t: int; call t := corral_getThreadID(); if (t != 1) { call corral_assert_not_reachable(); } }

// becomes:
procedure corral_assert_not_reachable();
  requires false;

procedure corral_getThreadID() returns (id: int);
  free ensures id == 1;

procedure {:entrypoint} main();

implementation main()
{
  var t: int;

  start:
    call t := corral_getThreadID();
    goto then.1, else.2;

  then.1:
    assume t != 1;
    call corral_assert_not_reachable();
    goto join.3;

  else.2:
    assume t == 1;
    goto join.3;

  join.3:
    return;
}

