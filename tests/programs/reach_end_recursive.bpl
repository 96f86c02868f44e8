// options: property=reach-end bound=3
// The end of an inner call of the entry is not the end of the execution.
var first: bool where first;

procedure {:entrypoint} main() //~ proved
  modifies first;
{
  if (first) {
    first := false;
    call main();
    assume false;
  }
}
