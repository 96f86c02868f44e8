"""Results that are kept between runs: summaries, verdicts, tracked globals, and keys that say whether they still
hold."""
