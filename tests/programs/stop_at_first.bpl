// options: stop_at_first=1
// The search from `second` stops at its first violation, so nothing is known of `callee` from there.
procedure {:entrypoint} first()
{
  call callee(1);
}

procedure {:entrypoint} second()
{
  assert false;            //~ violated
  call callee(0);
}

procedure callee(x: int)
{
  assert x > 0;            //~ unknown
}
