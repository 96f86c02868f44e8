procedure {:entrypoint} main(x: int) { assert x > 0; call P(x); if (x == 7) { return; } assume x > 8; }
procedure P(x: int) { assert x != 9; }

// becomes:
procedure {:entrypoint} main(x: int);

implementation main(x: int)
{

  start:
    assume 0 < x;
    call P(x);
    goto then.1, else.2;

  then.1:
    assume x == 7;
    assert false;
    return;

  else.2:
    assume x != 7;
    goto join.3;

  join.3:
    assume 8 < x;
    assert false;
    return;
}

procedure P(x: int);

implementation P(x: int)
{

  start:
    assume x != 9;
    return;
}

