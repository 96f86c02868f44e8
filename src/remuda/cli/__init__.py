"""The command line: thin commands over the session. Only this folder writes to the terminal."""
