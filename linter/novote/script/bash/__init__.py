"""Bash and sh: what a shell script does, over guarded values."""
