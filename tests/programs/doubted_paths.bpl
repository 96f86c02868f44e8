// solvers: z3
// Every path to an assertion is doubted, because the solver makes no instances of the axioms by itself. Excluding one
// must exclude all models of that path, whatever they say of the blocks beside it, or the search finds it again.

function Twice(x: int) returns (int) { x + x }
function Double(x: int) returns (int) { 3 * x - x }
function f(int) returns (int);
function g(int) returns (int);
function h(int) returns (int);
function k(int) returns (int);
axiom (forall x: int :: Twice(x) == f(x));
axiom (forall x: int :: Double(x) == g(x));
axiom (forall x: int :: { f(x) } f(x) < h(x));
axiom (forall x: int :: { g(x) } g(x) < k(x));

procedure main(a: int, b: int, c: int)
{
  assert Twice(a) < h(a); //~ proved
  if (*) {
    assert Double(b) < k(b); //~ proved
  } else {
    assert g(c) == 2 * c; //~ proved
    assert Double(c) < k(c); //~ proved
  }
}
