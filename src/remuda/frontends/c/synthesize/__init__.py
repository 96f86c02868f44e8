"""Finds points in C programs for assertions, and writes C text with assertions, or recordings, at them.

source --clang.parse--> syntax.ast.Unit --flow, constants--> points --program--> C text

`harness` writes the program that records the values of variables when executions reach the points.
"""
