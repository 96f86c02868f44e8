"""Moves loops of C programs to functions of their own, so that another verifier can check them one by one.

source --clang.parse, mentions--> meanings of names --loops, moves--> loops to move --program--> C text

`soundness` decides which of the moved bodies can be checked from any state, so that a proof of one is a proof in the
program; `writer` writes the text to check.
"""
