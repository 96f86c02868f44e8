"""A concrete machine for C: it runs the typed tree, with memory made of bytes, and knows undefined behaviour when it
meets it. It shares nothing with the lowering, whose verdicts it checks."""
