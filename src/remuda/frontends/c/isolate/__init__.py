"""Loops of C programs as functions of their own, so that another verifier can check them one by one.

source --clang.parse, mentions--> what each name means --loops, captures--> what can be moved --program--> C text

`fragments` says which of the moved bodies can be checked from any state, so that a proof of one is a proof in the
program, and writes the text to check.
"""
