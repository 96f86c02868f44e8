procedure {:entrypoint} main(n: int) returns (r: int) requires n >= 0; { if (n > 0) { call r := main(n - 1); } }
procedure {:entrypoint} other() { call P(); }
procedure P() { }

// becomes:
procedure {:entrypoint} main(n: int) returns (r: int);
  requires 0 <= n;

implementation main(n: int) returns (r: int)
{

  start:
    goto then.1, else.2;

  then.1:
    assume 0 < n;
    call r := main(n - 1);
    goto join.3;

  else.2:
    assume !(0 < n);
    goto join.3;

  join.3:
    return;
}

procedure {:entrypoint} other();

implementation other()
{

  start:
    call P();
    return;
}

procedure P();

implementation P()
{

  start:
    return;
}

procedure main$start(n: int) returns (r: int);
  free requires 0 <= n;

implementation main$start(n: int) returns (r: int)
{

  start:
    free call r := main(n);
    return;
}

