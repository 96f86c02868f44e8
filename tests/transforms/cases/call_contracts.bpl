var g: int;
procedure {:entrypoint} main() modifies g; { var x: int; call x := Next(3); call Outside(x); assert x == 4; }
procedure Next(n: int) returns (r: int) modifies g; ensures r == n + 1; { g := g + n; r := n + 1; }
procedure Outside(n: int);

// becomes:
var g: int;

procedure {:entrypoint} main();
  modifies g;

implementation main()
{
  var x: int;

  start:
    call x := Next$contract(3);
    call Outside(x);
    assert x == 4;
    return;
}

procedure {:entrypoint} main$contract();
  modifies g;

procedure Next(n: int) returns (r: int);
  modifies g;
  free ensures r == n + 1;

implementation Next(n: int) returns (r: int)
{

  start:
    g := g + n;
    r := n + 1;
    assert r == n + 1;
    return;
}

procedure Next$contract(n: int) returns (r: int);
  modifies g;
  free ensures r == n + 1;

procedure Outside(n: int);

