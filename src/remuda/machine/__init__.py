"""A concrete machine for C: it runs the typed tree, with memory made of bytes, and detects undefined behaviour. It
shares nothing with the lowering, whose verdicts it checks."""
