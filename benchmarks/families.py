"""Families of programs that grow with a parameter, from the papers on the methods Remuda uses; in Boogie or in C.

    python benchmarks/families.py fig1 5 > out.bpl
    python benchmarks/families.py fig2-calls 5 --buggy --language c > out.c

`fig1` is Fig. 1 of "A Program Transformation for Faster Goal-Directed Search" (Lal and Qadeer, FMCAD 2014): a
chain of procedures, each of which calls the next one twice, with the assertion at the far end, inside a loop.
A search that inlines from the entry towards the assertion inlines a number of procedures exponential in `n`.

`fig2` and `fig2-calls` are after Fig. 2 of "DAG Inlining" (Lal and Qadeer, PLDI 2015): a chain of procedures, each of
which calls the next one on both sides of a branch. As a tree, there are 2 to the power of `n` calls; but no execution
takes both sides, so a DAG needs only one instance of each procedure. The paper's listing is a picture; the programs
here have the properties that its text states: procedures P0 to PN, one assertion, in PN, and the invariant that g ==
i at the beginning of Pi. In `fig2`, Pi calls P(i+1) itself. The text also says that the program extends the one of
the paper's Fig. 1, where the two sides call different procedures, which call the same one: in `fig2-calls`, Pi calls
Ai or Bi, and these call P(i+1). That makes 3n + 2 procedures, including `main`.

Both papers give only correct programs. The buggy variants are made from them by the smallest change that makes
the assertion fail, at its full depth.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final


@final
@dataclass(frozen=True, slots=True)
class Language:
    """The syntax of programs in one language: a template for each part."""

    suffix: str
    fig1_head: str
    fig1_step: str
    fig1_tail: str
    fig2_head: str
    fig2_step: str
    fig2_calls_step: str
    fig2_tail: str


BOOGIE: Final = Language(
    suffix="bpl",
    fig1_head="""\
var s: int;
var g: int;

procedure {{:entrypoint}} main()
  modifies s, g;
{{
  s := 0;
  g := {start};
  call P1();
}}
""",
    fig1_step="""
procedure P{index}()
  modifies s;
{{
  call P{following}();
  call P{following}();
}}
""",
    fig1_tail="""
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
""",
    fig2_head="""\
var g: int;

procedure {:entrypoint} main()
  modifies g;
{
  g := 0;
  call P0();
}
""",
    fig2_step="""
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
""",
    fig2_calls_step="""
procedure P{index}()
  modifies g;
{{
  if (*) {{
    call A{index}();
  }} else {{
    call B{index}();
  }}
}}

procedure A{index}()
  modifies g;
{{
  g := g + 1;
  call P{following}();
}}

procedure B{index}()
  modifies g;
{{
  g := g - 1;
  g := g + {step} + 1;
  call P{following}();
}}
""",
    fig2_tail="""
procedure P{index}()
{{
  assert g == {index};
}}
""",
)

C: Final = Language(
    suffix="c",
    fig1_head="""\
extern void __VERIFIER_assert(int condition);
extern int __VERIFIER_nondet_int(void);

int s;
int g;

void P1(void);

int main(void) {{
  s = 0;
  g = {start};
  P1();
  return 0;
}}
""",
    fig1_step="""
void P{following}(void);

void P{index}(void) {{
  P{following}();
  P{following}();
}}
""",
    fig1_tail="""
void Open(void) {{
  s = 1;
}}

void Close(void) {{
  __VERIFIER_assert(s > 0);
  s = 0;
}}

void P{index}(void) {{
  while (__VERIFIER_nondet_int()) {{
    if (g == 1) {{
      Open();
    }}
    Close();
  }}
}}
""",
    fig2_head="""\
extern void __VERIFIER_assert(int condition);
extern int __VERIFIER_nondet_int(void);

int g;

void P0(void);

int main(void) {
  g = 0;
  P0();
  return 0;
}
""",
    fig2_step="""
void P{following}(void);

void P{index}(void) {{
  if (__VERIFIER_nondet_int()) {{
    g = g + 1;
    P{following}();
  }} else {{
    g = g + {step};
    P{following}();
  }}
}}
""",
    fig2_calls_step="""
void P{following}(void);

void A{index}(void) {{
  g = g + 1;
  P{following}();
}}

void B{index}(void) {{
  g = g - 1;
  g = g + {step} + 1;
  P{following}();
}}

void P{index}(void) {{
  if (__VERIFIER_nondet_int()) {{
    A{index}();
  }} else {{
    B{index}();
  }}
}}
""",
    fig2_tail="""
void P{index}(void) {{
  __VERIFIER_assert(g == {index});
}}
""",
)


def fmcad14_fig1(n: int, *, buggy: bool = False, language: Language = BOOGIE) -> str:
    """The program with procedures P1 to Pn. In the buggy variant the guard of `Open` is never true."""
    if n < 1:
        raise ValueError("the chain has at least one procedure")
    parts = [language.fig1_head.format(start=0 if buggy else 1)]
    parts += [language.fig1_step.format(index=index, following=index + 1) for index in range(1, n)]
    return "".join([*parts, language.fig1_tail.format(index=n)])


def dag_fig2(n: int, *, buggy: bool = False, language: Language = BOOGIE) -> str:
    """The program with procedures P0 to Pn. In the buggy variant one side of the last branch adds 2 to g."""
    return _fig2(n, language.fig2_step, language, buggy=buggy)


def dag_fig2_calls(n: int, *, buggy: bool = False, language: Language = BOOGIE) -> str:
    """The program of `fig2` with procedures Ai and Bi on the two sides of each branch."""
    return _fig2(n, language.fig2_calls_step, language, buggy=buggy)


def _fig2(n: int, template: str, language: Language, *, buggy: bool) -> str:
    if n < 0 or (buggy and n < 1):
        raise ValueError("the chain is too short")
    steps = [2 if buggy and index == n - 1 else 1 for index in range(n)]
    parts = [template.format(index=index, following=index + 1, step=step) for index, step in enumerate(steps)]
    return "".join([language.fig2_head, *parts, language.fig2_tail.format(index=n)])


FAMILIES: Final[dict[str, Callable[..., str]]] = {
    "fig1": fmcad14_fig1,
    "fig2": dag_fig2,
    "fig2-calls": dag_fig2_calls,
}
LANGUAGES: Final = {"boogie": BOOGIE, "c": C}


def main(argv: list[str] | None = None) -> int:
    """Write one program to standard output."""
    parser = argparse.ArgumentParser(description="Write a program of a scaling family.")
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("n", type=int, help="length of the chain of procedures")
    parser.add_argument("--buggy", action="store_true", help="the variant whose assertion can fail")
    parser.add_argument("--language", choices=LANGUAGES, default="boogie")
    given = parser.parse_args(argv)
    try:
        text = FAMILIES[given.family](given.n, buggy=given.buggy, language=LANGUAGES[given.language])
    except ValueError as error:
        parser.error(str(error))
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
