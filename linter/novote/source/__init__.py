"""Text of a file as YAML nodes with exact places: parsing, scalars, value-to-source offsets, comments."""
