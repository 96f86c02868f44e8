"""Places in C programs where something may be asserted, and C text with assertions, or recordings, there.

source --clang.parse--> syntax.ast.Unit --flow, constants--> points --program--> C text

`harness` writes the program that records what variables are when the points are reached.
"""
