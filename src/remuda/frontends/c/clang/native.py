"""The few functions of libclang that the C parser calls, through ctypes.

The wheel's own Python objects cost three times as much per node as these bare structures. Nothing here interprets a
program; `tree` and the modules above it do.
"""

from __future__ import annotations

import os
import sys
from ctypes import (
    CDLL,
    CFUNCTYPE,
    POINTER,
    Structure,
    byref,
    c_char_p,
    c_int,
    c_longlong,
    c_uint,
    c_ulonglong,
    c_void_p,
)
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from remuda.base.errors import ToolError

LIBRARY_NAMES: Final = {"darwin": "libclang.dylib", "win32": "libclang.dll"}
VERSION: Final = 18  # the codes of cursors, types and operators below are those of this version


class Cursor(Structure):
    """A node of clang's tree. `data0` identifies a declaration, `data1` a statement or expression."""

    _fields_ = (
        ("kind", c_int),
        ("xdata", c_int),
        ("data0", c_void_p),
        ("data1", c_void_p),
        ("data2", c_void_p),
    )
    kind: int
    data0: int | None
    data1: int | None


class Type(Structure):
    """A type; `data0` is its identity, qualifiers and the names it was written with included."""

    _fields_ = (("kind", c_int), ("data0", c_void_p), ("data1", c_void_p))
    kind: int
    data0: int | None


class Location(Structure):
    """`code` counts characters over all files in the order clang entered them; bit 31 marks macro expansions."""

    _fields_ = (("data0", c_void_p), ("data1", c_void_p), ("code", c_uint))
    code: int


class Range(Structure):
    """The code of the first character, and the code behind the last one."""

    _fields_ = (("data0", c_void_p), ("data1", c_void_p), ("begin", c_uint), ("end", c_uint))
    data0: int | None
    data1: int | None
    begin: int
    end: int


class String(Structure):
    """A string that must be disposed of."""

    _fields_ = (("data", c_void_p), ("flags", c_uint))


class Token(Structure):
    """A token of the source text."""

    _fields_ = (("data0", c_uint * 4), ("data1", c_void_p))


class UnsavedFile(Structure):
    """A file whose text is in memory."""

    _fields_ = (
        ("name", c_char_p),
        ("contents", c_char_p),
        ("length", c_ulonglong if sys.maxsize > 2**32 else c_uint),
    )


VISITOR: Final = CFUNCTYPE(c_int, Cursor, Cursor, c_void_p)
FIELD_VISITOR: Final = CFUNCTYPE(c_int, Cursor, c_void_p)

VISIT_BREAK: Final = 0
VISIT_CONTINUE: Final = 1
VISIT_RECURSE: Final = 2

_CURSOR_TO_INT: Final = (
    "getCursorBinaryOperatorKind",
    "getCursorUnaryOperatorKind",
    "getCursorLinkage",
    "Cursor_getStorageClass",
    "Cursor_hasAttrs",
    "Cursor_isFunctionInlined",
    "Cursor_isBitField",
    "Cursor_getNumArguments",
    "getFieldDeclBitWidth",
    "getCursorTLSKind",
    "isCursorDefinition",
)
_CURSOR_TO_LONG: Final = ("Cursor_getOffsetOfField", "getEnumConstantDeclValue")
_CURSOR_TO_CURSOR: Final = (
    "getCursorReferenced",
    "getCursorDefinition",
    "getCanonicalCursor",
    "getCursorSemanticParent",
    "Cursor_getVarDeclInitializer",
)
_CURSOR_TO_TYPE: Final = ("getCursorType", "getEnumDeclIntegerType")
_CURSOR_TO_STRING: Final = ("getCursorSpelling",)
_TYPE_TO_TYPE: Final = (
    "getCanonicalType",
    "getPointeeType",
    "getArrayElementType",
    "getElementType",
    "getResultType",
    "getUnqualifiedType",
)
_TYPE_TO_LONG: Final = ("getArraySize", "getNumElements", "Type_getSizeOf", "Type_getAlignOf")
_TYPE_TO_INT: Final = (
    "getNumArgTypes",
    "isFunctionTypeVariadic",
    "isConstQualifiedType",
    "isVolatileQualifiedType",
)


class Library:
    """libclang with declared functions, whose names have no prefix `clang_`."""

    def __init__(self, path: Path) -> None:
        try:
            self._library = CDLL(str(path))
        except OSError as error:
            raise ToolError(f"the C parser libclang cannot be loaded: {error}") from error
        for names, arguments, result in (
            (_CURSOR_TO_INT, [Cursor], c_int),
            (_CURSOR_TO_LONG, [Cursor], c_longlong),
            (_CURSOR_TO_CURSOR, [Cursor], Cursor),
            (_CURSOR_TO_TYPE, [Cursor], Type),
            (_CURSOR_TO_STRING, [Cursor], String),
            (_TYPE_TO_TYPE, [Type], Type),
            (_TYPE_TO_LONG, [Type], c_longlong),
            (_TYPE_TO_INT, [Type], c_int),
        ):
            for name in names:
                self._declare(name, arguments, result)
        self._declare_the_others()

    def _declare_the_others(self) -> None:
        declare = self._declare
        declare("createIndex", [c_int, c_int], c_void_p)
        declare("disposeIndex", [c_void_p], None)
        declare(
            "parseTranslationUnit2",
            [c_void_p, c_char_p, POINTER(c_char_p), c_int, POINTER(UnsavedFile), c_uint, c_uint, POINTER(c_void_p)],
            c_int,
        )
        declare("disposeTranslationUnit", [c_void_p], None)
        declare("getTranslationUnitCursor", [c_void_p], Cursor)
        declare("visitChildren", [Cursor, VISITOR, c_void_p], c_uint)
        declare("Type_visitFields", [Type, FIELD_VISITOR, c_void_p], c_uint)
        declare("getNumDiagnostics", [c_void_p], c_uint)
        declare("getDiagnostic", [c_void_p, c_uint], c_void_p)
        declare("disposeDiagnostic", [c_void_p], None)
        declare("getDiagnosticSeverity", [c_void_p], c_int)
        declare("getDiagnosticSpelling", [c_void_p], String)
        declare("getDiagnosticLocation", [c_void_p], Location)
        declare("getCString", [String], c_char_p)
        declare("disposeString", [String], None)
        declare("getClangVersion", [], String)
        declare("getCursorLocation", [Cursor], Location)
        declare("getCursorExtent", [Cursor], Range)
        declare("getTypeDeclaration", [Type], Cursor)
        declare("getTypeSpelling", [Type], String)
        declare("getArgType", [Type, c_uint], Type)
        declare("Cursor_getArgument", [Cursor, c_uint], Cursor)
        declare("getFileName", [c_void_p], String)
        declare(
            "getFileLocation", [Location, POINTER(c_void_p), POINTER(c_uint), POINTER(c_uint), POINTER(c_uint)], None
        )
        declare("getToken", [c_void_p, Location], POINTER(Token))
        declare("getTokenSpelling", [c_void_p, Token], String)
        declare("disposeTokens", [c_void_p, POINTER(Token), c_uint], None)
        declare("getFileContents", [c_void_p, c_void_p, POINTER(c_ulonglong)], c_void_p)
        declare("Cursor_Evaluate", [Cursor], c_void_p)
        declare("EvalResult_getKind", [c_void_p], c_int)
        declare("EvalResult_getAsLongLong", [c_void_p], c_longlong)
        declare("EvalResult_getAsUnsigned", [c_void_p], c_ulonglong)
        declare("EvalResult_isUnsignedInt", [c_void_p], c_uint)
        declare("EvalResult_dispose", [c_void_p], None)
        declare("getCursorPrintingPolicy", [Cursor], c_void_p)
        declare("PrintingPolicy_setProperty", [c_void_p, c_int, c_uint], None)
        declare("PrintingPolicy_dispose", [c_void_p], None)
        declare("getCursorPrettyPrinted", [Cursor, c_void_p], String)

    def _declare(self, name: str, arguments: list[Any], result: object) -> None:
        function = getattr(self._library, f"clang_{name}")
        function.argtypes = arguments
        function.restype = result
        setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (ctypes says no more)
        raise AttributeError(name)  # so that type checkers know that attributes are made above

    def text(self, string: String) -> str:
        """The characters of a string, which is disposed of."""
        raw: bytes | None = self.getCString(string)
        text = "" if raw is None else raw.decode("utf-8", "surrogateescape")
        self.disposeString(string)
        return text


@cache
def library() -> Library:
    """The library of the wheel, loaded once."""
    found = find_spec("clang")
    folders = [] if found is None else [Path(place) for place in found.submodule_search_locations or ()]
    name = LIBRARY_NAMES.get(sys.platform, "libclang.so")
    for folder in folders:
        path = folder / "native" / name
        if path.is_file():
            # The library would start a thread with a small stack for each file; the caller's is made big enough.
            os.environ["LIBCLANG_NOTHREADS"] = "1"
            loaded = Library(path)
            _check_version(loaded)
            return loaded
    raise ToolError("C programs need the package libclang: pip install libclang==18.1.1")


def _check_version(loaded: Library) -> None:
    version = loaded.text(loaded.getClangVersion())
    if f"version {VERSION}." not in version:
        raise ToolError(f"C programs need libclang {VERSION}, found {version}")


def place_of(loaded: Library, location: Location) -> tuple[int | None, int]:
    """The file (or None) and the byte offset of a location; for macros, of their use."""
    file, line, column, offset = c_void_p(), c_uint(), c_uint(), c_uint()
    loaded.getFileLocation(location, byref(file), byref(line), byref(column), byref(offset))
    return file.value, offset.value


def token_at(loaded: Library, unit: c_void_p, location: Location) -> str:
    """The token at a location; in a macro expansion, the token of the macro's definition."""
    token = loaded.getToken(unit, location)
    if not token:
        return ""
    text = loaded.text(loaded.getTokenSpelling(unit, token.contents))
    loaded.disposeTokens(unit, token, 1)
    return text
