"""What C computes, as terms: by bits, or by mathematical integers."""
