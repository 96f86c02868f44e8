var g: int where g >= 0;
procedure {:entrypoint} main(n: int) modifies g;
{
  var i: int;
  i := 0;
  while (i < n) invariant i <= n; { i := i + 1; call Count(); }
  assert i >= n;
}
procedure Count() modifies g; { g := g + 1; }

// becomes:
var g: int where 0 <= g;

procedure {:entrypoint} main(n: int);
  modifies g;

implementation main(n: int)
{
  var i: int;

  start:
    i := 0;
    goto loop_head.1;

  loop_head.1:
    assert i <= n;
    goto loop_head.1$any;

  loop_head.1$any:
    havoc g, i;
    assume i <= n;
    goto loop_body.2, loop_exit.4;

  loop_head.1$again:
    assert i <= n;
    assume false;
    return;

  loop_exit.4:
    assume !(i < n);
    goto loop_done.3;

  loop_body.2:
    assume i < n;
    i := i + 1;
    call Count();
    goto loop_head.1$again;

  loop_done.3:
    assert n <= i;
    return;
}

procedure Count();
  modifies g;

implementation Count()
{

  start:
    g := g + 1;
    return;
}

