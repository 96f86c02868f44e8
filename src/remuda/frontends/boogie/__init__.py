"""The Boogie front end: tokens -> syntax tree -> resolved and typed -> IR."""
