"""Ways in which a pointer is kept as something else for a while, and is the same pointer in the end.

Each gives an expression for a pointer of the type of a variable, at the place where that variable points, or None. What an
expression needs is defined in functions of the program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from tests.frontends.c.pointer_types import Array, pointer_to

if TYPE_CHECKING:
    from tests.frontends.c.pointer_memory import Addresses
    from tests.frontends.c.pointer_types import Type
    from tests.frontends.c.random_pointers import Variable, Writer

Disguise = Callable[["Writer", "Variable"], "str | None"]

WORD: Final = "(uintptr_t)"
# Functions that give back the pointer that they are given. `UNKNOWN(p)` is p for gcc; for the verifier it is any pointer.
FUNCTIONS: Final = {
    "bytewise": """\
static void *bytewise@(void *p) {
  void *r;
  for (unsigned i = 0; i < sizeof p; i++) ((unsigned char *)&r)[i] = ((unsigned char *)&p)[i];
  return r;
}""",
    "swapped": """\
static void *swapped@(void *p) {
  void *pair[2] = {0, p};
  char *c = (char *)pair;
  for (unsigned i = 0; i < sizeof p; i++) { char t = c[i]; c[i] = c[i + sizeof p]; c[i + sizeof p] = t; }
  return pair[0];
}""",
    "buffered": """\
static void *buffered@(void *p) {
  char buffer[32];
  void *r;
  memcpy(buffer + 3, &p, sizeof p);
  memmove(buffer + 8, buffer + 3, sizeof p);
  memcpy(&r, buffer + 8, sizeof r);
  return r;
}""",
    "viewed": """\
union view@ { void *p; uintptr_t word; unsigned char bytes[sizeof(void *)]; };
static void *viewed@(void *p) {
  union view@ one, other;
  one.p = p;
  for (unsigned i = 0; i < sizeof p; i++) other.bytes[i] = one.bytes[i];
  one.word = other.word;
  return one.p;
}""",
    "packed": """\
struct pack@ { int n; unsigned char bytes[sizeof(void *)]; };
static struct pack@ pack@(void *p) { struct pack@ k; k.n = 1; memcpy(k.bytes, &p, sizeof p); return k; }
static void *packed@(void *p) { struct pack@ k = pack@(p); void *r; memcpy(&r, k.bytes, sizeof r); return r; }""",
    "returned": """\
struct pair@ { int n; void *p[2]; };
static struct pair@ pair@(void *p) { struct pair@ s = {1, {0, p}}; return s; }
static void *returned@(void *p) { return pair@(p).p[pair@(p).n]; }""",
    "picked": """\
struct one@ { void *p; };
static void *picked@(void *p) { struct one@ a = {p}, b = {0}; return (p ? a : b).p; }""",
    "deep": """\
static void *deep@(void **up, void *p, int depth) {
  void *here = 0;
  if (depth == 0) *up = p;
  else { deep@(&here, p, depth - 1); *up = here; }
  return *up;
}
static void *recursed@(void *p) { void *r = 0; deep@(&r, p, 2); return r; }""",
    "called": """\
static void *same@(void *p) { return p; }
static void *other@(void *p) { return (char *)p + 1; }
static uintptr_t calls@[2] = {(uintptr_t)other@, (uintptr_t)same@};
static void *called@(void *p) { return ((void *(*)(void *))calls@[p != 0])(p); }""",
    "listed": """\
struct link@ { uintptr_t both; void *p; };
static void *listed@(void *p) {
  struct link@ a = {0, 0}, b = {0, p}, *from = 0, *at = &a;
  a.both = (uintptr_t)&b;
  b.both = (uintptr_t)&a;
  struct link@ *next = (struct link@ *)(at->both ^ (uintptr_t)from);
  return next->p;
}""",
    "equal": """\
static void *equal@(void *p) { void *u = UNKNOWN(p); if (u != p) exit(0); return u; }""",
    "equal_word": """\
static void *equal_word@(void *p) {
  void *u = UNKNOWN(p);
  if (((uintptr_t)u ^ (uintptr_t)p) != 0) exit(0);
  return u;
}""",
    "equal_bytes": """\
static void *equal_bytes@(void *p) { void *u = UNKNOWN(p); if (memcmp(&u, &p, sizeof u)) exit(0); return u; }""",
}
CALLED: Final = {"deep": "recursed"}  # where the function has another name


def through_function(writer: Writer, variable: Variable) -> str:
    names = list(FUNCTIONS)
    name = writer.random.choice(
        [*(each for each in names if not each.startswith("equal")), writer.random.choice(names)]
    )
    if FUNCTIONS[name] not in writer.functions:
        writer.functions.append(FUNCTIONS[name])
    return f"{CALLED.get(name, name)}@({variable.name})"


def tagged(writer: Writer, variable: Variable) -> str | None:
    """Bits that are zero in the address are used for something else."""
    if not writer.memory.is_inside(variable.addresses, 0, 2):
        return None
    tag = writer.number(0, 1)
    return f"(({WORD}{variable.name} | ({tag.text})) & ~{WORD}1)" if not tag.locals else None


def masked(writer: Writer, variable: Variable) -> str:
    key = writer.constant()
    return f"({WORD}{variable.name} ^ {key} ^ {key})"


def mixed(writer: Writer, variable: Variable) -> str:
    """Together with another pointer, and without it again."""
    other = writer.random.choice(writer.variables)
    one, two = f"{WORD}{variable.name}", f"{WORD}{other.name}"
    return writer.random.choice([f"({one} ^ {two} ^ {two})", f"({two} + ({one} - {two}))"])


def halved(_: Writer, variable: Variable) -> str:
    word = f"{WORD}{variable.name}"
    return f"({WORD}(uint16_t)({word}) | ({word} >> 16) << 16)"


DISGUISES: Final[tuple[Disguise, ...]] = (
    through_function,
    through_function,
    through_function,
    through_function,
    tagged,
    masked,
    mixed,
    halved,
)


def disguised(writer: Writer) -> tuple[str, Type, Addresses, Variable | None, tuple[str, ...]] | None:
    """A pointer that was something else for a while."""
    variable = writer.random.choice(writer.variables)
    if isinstance(variable.type, Array):
        return None
    text = writer.random.choice(DISGUISES)(writer, variable)
    if text is None:
        return None
    return f"({pointer_to(variable.type)}){text}", variable.type, variable.addresses, None, ()
