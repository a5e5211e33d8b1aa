"""Python scripts over guarded values: `shell: python`, text for `python -c`, scripts of the repository."""
