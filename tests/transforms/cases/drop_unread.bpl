var g: int;
var h: int;
procedure {:entrypoint} main(x: int) modifies g, h; { g := x; h, g := x, h; h := h + 1; assert x > 0; }

// becomes:
var g: int;
var h: int;

procedure {:entrypoint} main(x: int);
  modifies g, h;

implementation main(x: int)
{

  start:
    assume true;
    assert 0 < x;
    return;
}

