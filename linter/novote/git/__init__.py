"""What git knows of a repository, asked by plumbing commands that nothing in the repository can bend."""
