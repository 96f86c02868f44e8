procedure {:entrypoint} main(b: bool) { var i: int; if (b) { goto left; } else { goto right; } left: i := i + 1; goto right; right: assert i < 3; goto left, out; out: }

// becomes:
procedure {:entrypoint} main(b: bool);

implementation main(b: bool)
{
  var i: int;
  var pick$right: int;

  start:
    goto then.1, else.2;

  then.1:
    assume b;
    goto to$left;

  else.2:
    assume !b;
    goto to$right;

  left:
    i := i + 1;
    goto again$right;

  right:
    assert i < 3;
    goto left, out;

  out:
    return;

  pick$right:
    goto at$right, at$left;

  again$right:
    pick$right := 0;
    goto pick$right;

  to$right:
    pick$right := 0;
    goto pick$right;

  at$right:
    assume pick$right == 0;
    goto right;

  to$left:
    pick$right := 1;
    goto pick$right;

  at$left:
    assume pick$right == 1;
    goto left;
}

