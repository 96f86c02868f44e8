var g: int;
var h: int;
var m: [int]int;
procedure {:entrypoint} main(i: int) modifies g, m; { g := i; m[0] := g; assert m[i] > h; }

// becomes:
const g$tracked: bool;
const m$tracked: bool;
var g: int;
var h: int;
var m: [int]int;

procedure {:entrypoint} main(i: int);
  modifies g, m;

implementation main(i: int)
{
  var any$0: int;
  var any$1: int;

  start:
    g := i;
    havoc any$0;
    m := m[0 := (if g$tracked then g else any$0)];
    havoc any$1;
    assert h < (if m$tracked then m[i] else any$1);
    return;
}

