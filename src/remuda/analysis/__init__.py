"""What can be read off a program without asking a solver: control flow, loops, calls, modified globals."""
