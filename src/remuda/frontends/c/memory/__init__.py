"""What pointers may point to, and the regions that memory falls into."""
