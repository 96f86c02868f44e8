var g: int;
var m: [int]int;
procedure {:entrypoint} main(x: int) modifies g, m; { g := x; m[x] := g; assert m[1] > g; assert x > 0; }

// becomes:
procedure {:entrypoint} main(x: int);

implementation main(x: int)
{
  var any$0: int;
  var any$1: int;

  start:
    havoc any$0, any$1;
    assert any$1 < any$0;
    assert 0 < x;
    return;
}

