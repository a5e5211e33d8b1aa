"""The algebra of guarded values: atoms, conditions over them, and values chosen by conditions.

Knows nothing about workflows, expressions or findings. `cond` holds the boolean part, a small reduced
ordered binary decision diagram; `value` holds content under conditions.
"""
