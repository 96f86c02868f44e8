"""Two families of Boogie programs that grow with a parameter, from the papers on the methods Remuda uses.

    python benchmarks/families.py fig1 5 > out.bpl
    python benchmarks/families.py fig2 5 --buggy > out.bpl

`fig1` is Fig. 1 of "A Program Transformation for Faster Goal-Directed Search" (Lal and Qadeer, FMCAD 2014): a
chain of procedures, each of which calls the next one twice, with the assertion at the far end, inside a loop.
Search that inlines from the entry towards the assertion inlines a number of procedures exponential in `n`.

`fig2` is after Fig. 2 of "DAG Inlining" (Lal and Qadeer, PLDI 2015): a chain of procedures, each of which calls
the next one on either side of a branch. As a tree the calls number 2 to the power of `n`; but no execution takes
both sides, so that a DAG needs only one instance of each procedure. The paper's listing is a picture; the program
here has what its text states of it: procedures P0 to PN, one assertion, in PN, and the invariant that g == i at
the beginning of Pi.

Both papers give only correct programs. The buggy variants are made from them by the smallest change that makes
the assertion fail, at its full depth.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Final

FIG1_HEAD: Final = """\
var s: int;
var g: int;

procedure {{:entrypoint}} main()
  modifies s, g;
{{
  s := 0;
  g := {start};
  call P1();
}}
"""

FIG1_STEP: Final = """
procedure P{index}()
  modifies s;
{{
  call P{following}();
  call P{following}();
}}
"""

FIG1_TAIL: Final = """
procedure P{index}()
  modifies s;
{{
  while (*) {{
    if (g == 1) {{
      call Open();
    }}
    call Close();
  }}
}}

procedure Open()
  modifies s;
{{
  s := 1;
}}

procedure Close()
  modifies s;
{{
  assert s > 0;
  s := 0;
}}
"""

FIG2_HEAD: Final = """\
var g: int;

procedure {:entrypoint} main()
  modifies g;
{
  g := 0;
  call P0();
}
"""

FIG2_STEP: Final = """
procedure P{index}()
  modifies g;
{{
  if (*) {{
    g := g + 1;
    call P{following}();
  }} else {{
    g := g + {step};
    call P{following}();
  }}
}}
"""

FIG2_TAIL: Final = """
procedure P{index}()
{{
  assert g == {index};
}}
"""


def fmcad14_fig1(n: int, *, buggy: bool = False) -> str:
    """The program with procedures P1 to Pn. In the buggy variant the guard of `Open` is never true."""
    if n < 1:
        raise ValueError("the chain has at least one procedure")
    parts = [FIG1_HEAD.format(start=0 if buggy else 1)]
    parts += [FIG1_STEP.format(index=index, following=index + 1) for index in range(1, n)]
    return "".join([*parts, FIG1_TAIL.format(index=n)])


def dag_fig2(n: int, *, buggy: bool = False) -> str:
    """The program with procedures P0 to Pn. In the buggy variant one side of the last branch adds 2 to g."""
    if n < 0 or (buggy and n < 1):
        raise ValueError("the chain is too short")
    steps = [2 if buggy and index == n - 1 else 1 for index in range(n)]
    parts = [FIG2_STEP.format(index=index, following=index + 1, step=step) for index, step in enumerate(steps)]
    return "".join([FIG2_HEAD, *parts, FIG2_TAIL.format(index=n)])


FAMILIES: Final[dict[str, Callable[..., str]]] = {"fig1": fmcad14_fig1, "fig2": dag_fig2}


def main(argv: list[str] | None = None) -> int:
    """Write one program to standard output."""
    parser = argparse.ArgumentParser(description="Write a program of a scaling family, as Boogie.")
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("n", type=int, help="length of the chain of procedures")
    parser.add_argument("--buggy", action="store_true", help="the variant whose assertion can fail")
    given = parser.parse_args(argv)
    try:
        text = FAMILIES[given.family](given.n, buggy=given.buggy)
    except ValueError as error:
        parser.error(str(error))
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
