"""The codes that libclang 18 gives to cursors, types and operators; only those that C needs."""

from __future__ import annotations

from typing import Final

# --- declarations

STRUCT_DECLARATION: Final = 2
UNION_DECLARATION: Final = 3
RECORDS: Final = frozenset({STRUCT_DECLARATION, UNION_DECLARATION})
ENUM_DECLARATION: Final = 5
ENUMERATOR: Final = 7
FUNCTION: Final = 8
VARIABLE: Final = 9
PARAMETER: Final = 10
TYPEDEF: Final = 20
STATIC_ASSERTION: Final = 602

# --- references

TYPE_REFERENCE: Final = 43
MEMBER_REFERENCE: Final = 47
LABEL_REFERENCE: Final = 48

# --- expressions

UNEXPOSED_EXPRESSION: Final = 100
NAME: Final = 101
MEMBER: Final = 102
CALL: Final = 103
BLOCK: Final = 105
INTEGER_LITERAL: Final = 106
FLOATING_LITERAL: Final = 107
IMAGINARY_LITERAL: Final = 108
STRING_LITERAL: Final = 109
CHARACTER_LITERAL: Final = 110
PARENTHESES: Final = 111
UNARY_OPERATOR: Final = 112
SUBSCRIPT: Final = 113
BINARY_OPERATOR: Final = 114
COMPOUND_ASSIGNMENT: Final = 115
CONDITIONAL: Final = 116
CAST: Final = 117
COMPOUND_LITERAL: Final = 118
INITIALIZER_LIST: Final = 119
LABEL_ADDRESS: Final = 120
STATEMENT_EXPRESSION: Final = 121
GENERIC_SELECTION: Final = 122
SIZE: Final = 136  # `sizeof`, `_Alignof`

# --- statements

UNEXPOSED_STATEMENT: Final = 200
LABEL: Final = 201
COMPOUND: Final = 202
CASE: Final = 203
DEFAULT: Final = 204
IF: Final = 205
SWITCH: Final = 206
WHILE: Final = 207
DO: Final = 208
FOR: Final = 209
GOTO: Final = 210
COMPUTED_GOTO: Final = 211
CONTINUE: Final = 212
BREAK: Final = 213
RETURN: Final = 214
ASSEMBLY: Final = 215
MICROSOFT_ASSEMBLY: Final = 229
EMPTY: Final = 230
DECLARATION_STATEMENT: Final = 231

BIT_CAST: Final = 280  # an expression, in spite of its number

FIRST_EXPRESSION: Final = 100
FIRST_STATEMENT: Final = 200
LAST_STATEMENT: Final = 399
FIRST_ATTRIBUTE: Final = 400
LAST_ATTRIBUTE: Final = 499

# --- types

VOID_TYPE: Final = 2
BOOL_TYPE: Final = 3
POINTER_TYPE: Final = 101
RECORD_TYPE: Final = 105
ENUM_TYPE: Final = 106
FUNCTION_WITHOUT_PROTOTYPE_TYPE: Final = 110
FUNCTION_TYPE: Final = 111
CONSTANT_ARRAY_TYPE: Final = 112
VECTOR_TYPE: Final = 113
EXTENDED_VECTOR_TYPE: Final = 176  # OpenCL's; clang makes some of them for GNU's operators
INCOMPLETE_ARRAY_TYPE: Final = 114
VARIABLE_ARRAY_TYPE: Final = 115

INTEGER_TYPES: Final = {  # whether it is signed, and how C spells it
    4: (False, "char"),
    5: (False, "unsigned char"),
    6: (False, "char16_t"),
    7: (False, "char32_t"),
    8: (False, "unsigned short"),
    9: (False, "unsigned int"),
    10: (False, "unsigned long"),
    11: (False, "unsigned long long"),
    12: (False, "unsigned __int128"),
    13: (True, "char"),
    14: (True, "signed char"),
    15: (True, "wchar_t"),
    16: (True, "short"),
    17: (True, "int"),
    18: (True, "long"),
    19: (True, "long long"),
    20: (True, "__int128"),
}
FLOATING_TYPES: Final = {21: "float", 22: "double", 23: "long double"}

# --- operators

BINARY_OPERATORS: Final = {
    3: "*",
    4: "/",
    5: "%",
    6: "+",
    7: "-",
    8: "<<",
    9: ">>",
    11: "<",
    12: ">",
    13: "<=",
    14: ">=",
    15: "==",
    16: "!=",
    17: "&",
    18: "^",
    19: "|",
    20: "&&",
    21: "||",
    22: "=",
    23: "*=",
    24: "/=",
    25: "%=",
    26: "+=",
    27: "-=",
    28: "<<=",
    29: ">>=",
    30: "&=",
    31: "^=",
    32: "|=",
    33: ",",
}
STEPS: Final = {1: ("++", False), 2: ("--", False), 3: ("++", True), 4: ("--", True)}  # the flag: before the operand
ADDRESS_OF: Final = 5
DEREFERENCE: Final = 6
UNARY_OPERATORS: Final = {7: "+", 8: "-", 9: "~", 10: "!"}
EXTENSION: Final = 13

# --- storage and linkage

STORAGE_EXTERN: Final = 2
STORAGE_STATIC: Final = 3
STORAGE_REGISTER: Final = 7
NO_LINKAGE: Final = 1
INTERNAL_LINKAGE: Final = 2

# --- diagnostics

SEVERITY_WARNING: Final = 2
SEVERITY_ERROR: Final = 3
