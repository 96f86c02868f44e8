// solvers: z3
// Uninterpreted, defined and recursive functions, with axioms.
function f(int) returns (int);
function twice(x: int) returns (int) { x + x }
function {:inline} half(x: int): int { x div 2 }
axiom (forall x: int :: { f(x) } f(x) > x);

procedure main(a: int, b: int)
{
  assert half(twice(a)) == a; //~ proved
  assert f(a) >= a + 1;    //~ proved
  assume f(a) == f(b);
  assert a == b;           //~ violated
}
