"""Other verifiers, run as programs of their own."""
