"""The command line: thin commands over the session, and the only room that writes to the terminal."""
