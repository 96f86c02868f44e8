// Bit-vectors with SMT builtins, extraction and concatenation.
function {:bvbuiltin "bvadd"} add8(bv8, bv8) returns (bv8);
function {:bvbuiltin "bvugt"} gt8(bv8, bv8) returns (bool);
function {:bvbuiltin "bvsgt"} sgt8(bv8, bv8) returns (bool);

procedure main(x: bv8)
{
  var y: bv8;
  var w: bv16;
  y := add8(x, 1bv8);
  assert gt8(y, x);        //~ violated
  assume gt8(y, x);
  w := x ++ y;
  assert w[16:8] == x;     //~ proved
  assert w[8:0] == y;      //~ proved
  assert sgt8(y, x);       //~ violated
}
