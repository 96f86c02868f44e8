// Maps with one and several indices, updates, and aliasing through indices.
type Ref;
const unique null: Ref;
var heap: [Ref, int]int;
var count: [int]int;

procedure main(a: Ref, b: Ref, i: int)
  modifies heap, count;
{
  heap[a, 0] := 1;
  heap[b, 0] := 2;
  assert heap[b, 0] == 2;  //~ proved
  assert heap[a, 0] == 1;  //~ violated
  count[i] := 7;
  count[i + 1] := 8;
  assert count[i] == 7;    //~ proved
  count := count[i := 9][i + 2 := 1];
  assert count[i] + count[i + 1] + count[i + 2] == 18; //~ proved
  assert a != null;        //~ violated
}
