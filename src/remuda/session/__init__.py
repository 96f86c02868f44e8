"""The Python API: verify a program, get a report.

>>> import remuda
>>> report = remuda.verify("procedure main() { assert 1 + 1 == 2; }")
>>> report.verdict.value
'proved'
"""

from remuda.session.api import error_bit_text, verify, verify_files

__all__ = ["error_bit_text", "verify", "verify_files"]
