"""Front ends: text in, `ir.Program` out. They share only what is below them."""
