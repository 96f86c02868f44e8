// Preconditions are checked at each call, postconditions at each exit; both are assumed afterwards.
var g: int;

procedure divide(a: int, b: int) returns (q: int)
  requires b != 0;
  ensures q * b == a || q == 0;   //~ violated
  ensures g == old(g) + 1;        //~ proved
  modifies g;
{
  g := g + 1;
  q := a div b;
}

procedure unknown_body(x: int) returns (y: int);
  requires x > 0;
  ensures y > x;
  free ensures y < 100;
  modifies g;

procedure main(k: int)
  requires k > 3;
  modifies g;
{
  var q: int;
  call q := divide(k, 2);  //~ proved
  call q := unknown_body(k); //~ proved
  assert q > 4;            //~ proved
  assert q != 50;          //~ violated
  call q := divide(k, k - 4);  //~ violated
}
