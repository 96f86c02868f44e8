// solvers: z3
// Quantified assertions and assumptions over a bounded range.
procedure main()
{
  var m: [int]int;
  assume (forall i: int :: 0 <= i && i < 4 ==> m[i] == i);
  assert m[2] == 2;                                        //~ proved
  assert (forall i: int :: 0 <= i && i < 4 ==> m[i] <= 3); //~ proved
  assert (forall i: int :: 0 <= i && i < 4 ==> m[i] < 3);  //~ violated
}
