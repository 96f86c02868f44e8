procedure {:entrypoint} main(x: int) { var y: int; call Outside(); y := x; call P(); y := y + 1; call P(); assert y > x; }
procedure P() { call P(); }
procedure Outside();

// becomes:
procedure {:entrypoint} main(x: int);

implementation main(x: int)
{
  var y: int;

  start:
    call Outside();
    y := x;
    goto start$call, start$short;

  start$short:
    assume false;
    return;

  start$call:
    call P();
    y := y + 1;
    goto start$call.1, start$short.1;

  start$short.1:
    assume false;
    return;

  start$call.1:
    call P();
    assert x < y;
    return;
}

procedure P();

implementation P()
{

  start:
    call P();
    return;
}

procedure Outside();

