// options: bound=1
// The bound cuts the recursion of Count, and with it every path that calls Keep: that one cannot change anything is found
// only by looking into it nevertheless.
var g: int;

procedure {:entrypoint} main()
  modifies g;
{
  var n: int;
  g := 0;
  call n := Count();
  if (n >= 2) {
    call Late(n);
  }
  assert g == 0; //~ proved
  assert n < 5;  //~ bounded
}

procedure Count() returns (n: int)
{
  n := 0;
  if (*) {
    call n := Count();
    n := n + 1;
  }
}

procedure Late(n: int)
  modifies g;
{
  if (n > 0) {
    call Keep(n);
  }
}

procedure Keep(n: int)
  modifies g;
{
  g := g + n;
  g := g - n;
}
