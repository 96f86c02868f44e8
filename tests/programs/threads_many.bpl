// solvers: z3
// options: rounds=2 bound=3
// Threads that start threads, in loops and by recursion.
var count: int;

procedure Leaf()
{
  count := count + 1;
  assert count <= 2;   //~ violated
  assert count <= 12;  //~ bounded
}

procedure Tree(depth: int)
{
  if (depth > 0)
  {
    async call Tree(depth - 1);
    call Tree(depth - 1);
  }
  else
  {
    async call Leaf();
  }
}

procedure {:entrypoint} main()
{
  var i: int;
  count := 0;
  i := 0;
  while (i < 2)
  {
    async call Leaf();
    i := i + 1;
  }
  call Tree(1);
}
