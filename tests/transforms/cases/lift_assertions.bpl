procedure {:entrypoint} main(x: int) { call P(x); call Quiet(); call P(x + 1); }
procedure P(n: int) { assert n > 0; }
procedure Quiet() { }

// becomes:
procedure {:entrypoint} main(x: int);

implementation main(x: int)
{
  var P$n: int;

  start:
    goto start$ok, start$fail;

  start$fail:
    P$n := x;
    goto P$start;

  start$ok:
    call P(x);
    call Quiet();
    goto start$ok.1, start$fail.1;

  start$fail.1:
    P$n := x + 1;
    goto P$start;

  start$ok.1:
    call P(x + 1);
    return;

  P$start:
    assert 0 < P$n;
    assume false;
    return;
}

procedure P(n: int);

implementation P(n: int)
{

  start:
    assume 0 < n;
    return;
}

procedure Quiet();

implementation Quiet()
{

  start:
    return;
}

