procedure {:entrypoint} main() { var i: int; i := 0; while (i < 2) { i := i + 1; assert i != 3; } }

// becomes:
procedure {:entrypoint} main();

implementation main()
{
  var i: int;

  start:
    i := 0;
    goto loop_head.1;

  loop_head.1:
    goto loop_body.2;

  loop_body.2:
    assume i < 2;
    i := i + 1;
    assert i != 3;
    goto loop_head.1.1;

  loop_head.1.1:
    goto loop_body.2.1;

  loop_body.2.1:
    assume i < 2;
    i := i + 1;
    assert i != 3;
    goto loop_head.1.2;

  loop_head.1.2:
    goto loop_exit.4;

  loop_body.2.2:
    assume i < 2;
    i := i + 1;
    assert i != 3;
    assume false;
    return;

  loop_exit.4:
    assume !(i < 2);
    goto loop_done.3;

  loop_done.3:
    return;
}

