"""The arithmetic of C as terms: on bit-vectors, or on mathematical integers."""
