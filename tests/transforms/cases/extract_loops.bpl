procedure {:entrypoint} main(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; assert i != 2; } }

// becomes:
procedure {:entrypoint} main(n: int);

implementation main(n: int)
{
  var i: int;

  start:
    i := 0;
    goto loop_head.1$loop;

  loop_head.1$loop:
    call i := main_loop_head.1(n, i);
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

procedure main_loop_head.1(in$n: int, in$i: int) returns (i: int);

implementation main_loop_head.1(in$n: int, in$i: int) returns (i: int)
{

  $entry:
    i := in$i;
    goto $done, loop_head.1;

  loop_head.1:
    goto loop_body.2;

  loop_body.2:
    assume i < in$n;
    i := i + 1;
    assert i != 2;
    goto $again;

  $again:
    call i := main_loop_head.1(in$n, i);
    return;

  $done:
    return;
}

