// Instances that are shared by branches, and needed again afterwards: by the same execution, with other values.
var total: int;

procedure {:entrypoint} main()
  modifies total;
{
  var first: int;
  var second: int;
  total := 0;
  if (*) {
    call first := left(1);
  } else {
    call first := right(2);
  }
  assert first == 3 || first == 4;           //~ proved
  if (*) {
    call second := left(first);
  } else {
    call second := right(first);
  }
  assert second <= 6;                        //~ proved
  assert second != 6;                        //~ violated
  assert total == second - first + 2;        //~ proved
  assert total == 3;                         //~ violated
}

procedure left(a: int) returns (r: int)
  modifies total;
{
  if (a < 2) {
    call r := add(a, 2);
  } else {
    call r := add(a, 1);
  }
}

procedure right(a: int) returns (r: int)
  modifies total;
{
  if (a < 2) {
    r := 0;
    assert false;                            //~ unreachable
  } else {
    call r := add(a, 2);
  }
}

procedure add(a: int, b: int) returns (r: int)
  modifies total;
{
  call r := once(a, b);
}

procedure once(a: int, b: int) returns (r: int)
  modifies total;
{
  total := total + b;
  r := a + b;
}
