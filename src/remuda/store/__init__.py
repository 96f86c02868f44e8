"""What is kept between runs: summaries, verdicts, tracked globals, and the keys that say whether they still hold."""
