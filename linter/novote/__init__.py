"""novote: proves where the author of a change chooses the exam."""

__version__ = "0.1.0"
