// options: entry=*
// Executions may start in a procedure that also runs as a thread.
var x: int;
procedure Worker()
{
  x := 1;
  assert x == 1;  //~ violated
}
procedure main()
{
  x := 0;
  async call Worker();
  x := 2;
  assert x != 0;  //~ bounded
}
