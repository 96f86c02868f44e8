"""C: from source files to the IR.

files --clang.parse--> syntax.ast.Unit --memory.regions--> memory layout --lowering.lower--> ir.Program

`syntax` is the typed tree that the others read, `arithmetic` what C computes as terms, and `library` the models of
functions that programs do not define.
"""
