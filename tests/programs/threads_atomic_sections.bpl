// Nothing happens inside an atomic section of another thread, nor does a thread that it starts run before its end.
procedure corral_atomic_begin();
procedure corral_atomic_end();
var x: int;
var y: int;

procedure Both(value: int)
{
  call corral_atomic_begin();
  x := value;
  y := value;
  call corral_atomic_end();
}

procedure Look()
{
  var left: int;
  var right: int;
  left := x;
  right := y;
  assert left == right;  //~ violated
}

procedure LookAtOnce()
{
  call corral_atomic_begin();
  assert x == y;         //~ bounded
}

procedure {:entrypoint} main()
{
  call Both(0);
  call corral_atomic_begin();
  async call Look();
  x := 1;
  async call LookAtOnce();
  y := 1;
  call corral_atomic_end();
  call Both(2);
}
