"""The commits of a change: what their messages claim, and whether the range keeps the rules."""
