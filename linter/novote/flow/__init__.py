"""Evaluates, on demand, what each exam decision of a repository depends on and which way claims cut it."""
