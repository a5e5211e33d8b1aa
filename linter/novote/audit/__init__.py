"""Turns judged decisions into findings, and settles which of them count."""
