// solvers: z3
// The solver only guesses a failing model, and a second look excludes it: the assertion is reached all the same.
procedure main()
{
  var m: [int]int;
  assume (forall i: int :: {m[i]} m[i] >= 0);
  assert (exists j: int :: {m[j]} m[j] >= 0);   //~ proved
}
