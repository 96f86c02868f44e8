"""Steps of library functions inside atomic sections."""

from __future__ import annotations

import pytest

from remuda.base.errors import Unsupported
from remuda.base.source import Source
from remuda.frontends.boogie.load import load
from remuda.ir.printer import print_program
from remuda.transforms.nest_sections import NestSections

HEAD = "var x: int; procedure corral_atomic_begin(); procedure corral_atomic_end(); procedure T() { x := 2; }"
STEP = "call {:step} corral_atomic_begin(); x := 1; call {:step} corral_atomic_end();"


def sections(text: str) -> int:
    """How many atomic sections are left."""
    program = NestSections().apply(load([Source("steps.bpl", HEAD + text)])).program
    return print_program(program).count("corral_atomic_begin();") - 1  # without the declaration


def test_a_step_inside_a_section_is_part_of_it() -> None:
    inside = f"call corral_atomic_begin(); while (*) {{ {STEP} {STEP} }} call corral_atomic_end();"
    assert sections(f"procedure main() {{ async call T(); {inside} }}") == 1
    assert sections(f"procedure main() {{ async call T(); {inside} {STEP} }}") == 2


def test_a_step_inside_a_function_that_is_one_step_is_part_of_it() -> None:
    call = 'call {:step "P"} corral_atomic_begin(); call P(); call {:step "P"} corral_atomic_end();'
    assert sections(f"procedure main() {{ async call T(); {call} }} procedure P() {{ {STEP} }}") == 1


def test_a_step_that_may_be_inside_a_section_or_not_is_refused() -> None:
    inside = "call corral_atomic_begin(); call P(); call corral_atomic_end();"
    with pytest.raises(Unsupported, match="inside an atomic section or outside"):
        sections(f"procedure main() {{ async call T(); {inside} call P(); }} procedure P() {{ {STEP} }}")
