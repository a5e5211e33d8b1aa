"""What scripts do: the languages of `run:` steps, read and interpreted as far as a decision needs."""
