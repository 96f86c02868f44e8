procedure {:entrypoint} main(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; assert i != 2; } }

// becomes:
procedure {:entrypoint} main(n: int);

implementation main(n: int)
{
  var i: int;

  start:
    i := 0;
    goto loop_head.1$first1;

  loop_head.1$first1:
    goto loop_body.2$first1, loop_exit.4;

  loop_body.2$first1:
    assume i < n;
    i := i + 1;
    assert i != 2;
    goto loop_head.1$any;

  loop_head.1$any:
    havoc i;
    goto loop_head.1$before1;

  loop_head.1$before1:
    goto loop_body.2$before1;

  loop_body.2$before1:
    assume i < n;
    i := i + 1;
    assume i != 2;
    goto loop_head.1;

  loop_head.1:
    goto loop_body.2, loop_exit.4;

  loop_exit.4:
    assume !(i < n);
    goto loop_done.3;

  loop_body.2:
    assume i < n;
    i := i + 1;
    assert i != 2;
    assume false;
    return;

  loop_done.3:
    return;
}

