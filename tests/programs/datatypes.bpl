// Algebraic datatypes, both spellings.
type {:datatype} Pair;
function {:constructor} pair(first: int, second: int): Pair;

datatype Tree { leaf(), node(left: Tree, value: int, right: Tree) }

procedure main(t: Tree, p: Pair)
{
  assert first#pair(pair(1, 2)) == 1;      //~ proved
  assert p == pair(first#pair(p), second#pair(p)); //~ proved
  assert node(t, 3, leaf())->value == 3;   //~ proved
  assert t is leaf;                        //~ violated
  assert t is leaf || t is node;           //~ proved
}
