// options: property=reach-end
procedure {:entrypoint} main(x: int) //~ proved
{
  assert x > 0;
  assume x < 0;
}
