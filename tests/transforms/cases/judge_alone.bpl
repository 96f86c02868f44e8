procedure {:entrypoint} main(x: int) { assert x > 0; call Outside(); assert x > 1; }
procedure Outside();

// becomes:
procedure {:entrypoint} main(x: int);

implementation main(x: int)
{

  start:
    goto start$on, start$judged;

  start$judged:
    assert {:judged_alone} 0 < x;
    assume false;
    return;

  start$on:
    call Outside();
    goto start$on.1, start$judged.1;

  start$judged.1:
    assert {:judged_alone} 1 < x;
    assume false;
    return;

  start$on.1:
    return;
}

procedure Outside();

