// solvers: z3
// The solver makes no instances of the axioms here, because the definition of Twice is put in place of it. The model it
// stops with leaves f and h open, and must not be believed for that.

function Twice(x: int) returns (int) { x + x }
function f(int) returns (int);
function h(int) returns (int);
axiom (forall x: int :: Twice(x) == f(x));
axiom (forall x: int :: { f(x) } f(x) < h(x));

procedure main(a: int)
{
  assert Twice(a) < h(a); //~ proved
}
