"""The strategies: each decides assertions of an attempt step by step."""
