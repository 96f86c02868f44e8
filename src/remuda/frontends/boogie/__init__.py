"""The Boogie front end: tokens -> syntax tree -> names and types -> IR."""
