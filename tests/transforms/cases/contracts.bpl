var g: int where g > 0;
procedure {:entrypoint} main(x: int) modifies g; requires x > 0; ensures g > old(g); { call Add(x); }
procedure Add(n: int) modifies g; requires n > 0; free requires n < 9; ensures g == old(g) + n; { g := g + n; }
procedure Outside(n: int); free requires n > 1; requires n > 2;
procedure Use() { call Outside(3); }

// becomes:
var g: int where 0 < g;

procedure {:entrypoint} main(x: int);
  modifies g;
  free ensures old(g) < g;

implementation main(x: int)
{
  var old$g: int;

  start:
    assume 0 < g;
    assume 0 < x;
    old$g := g;
    assert 0 < x;
    call Add(x);
    assert old$g < g;
    return;
}

procedure Add(n: int);
  modifies g;
  free ensures g == old(g) + n;

implementation Add(n: int)
{
  var old$g: int;

  start:
    assume n < 9;
    old$g := g;
    g := g + n;
    assert g == old$g + n;
    return;
}

procedure Outside(n: int);

procedure Use();

implementation Use()
{

  start:
    assume true;
    assert true;
    call Outside(3);
    return;
}

