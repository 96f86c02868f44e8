"""C: from source files to the IR.

files --clang_load--> ast.Unit --link--> ast.Unit --regions--> memory layout --lower--> ir.Program
"""
