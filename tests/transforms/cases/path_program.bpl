var g: int;
procedure {:entrypoint} main(x: int) modifies g;
{
  var y: int;
  if (x > 0) { call y := Q(2); } else { call y := Outside(x); }
  havoc g;
  assert g != 1 || y != 3;
}
procedure Q(i: int) returns (r: int) ensures r > i; { r := i + 1; }
procedure Outside(i: int) returns (r: int); ensures r > i;

// becomes:
var g: int;

procedure path();

implementation path()
{
  var x: int;
  var y: int;
  var i: int;
  var r: int;

  path:
    assume 0 < x;
    i := 2;
    r := i + 1;
    assume i < r;
    y := r;
    havoc g;
    assume !(g != 1 || y != 3);
    return;
}

