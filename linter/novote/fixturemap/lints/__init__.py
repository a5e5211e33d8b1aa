"""What there is to say about a fixture map that can be read: one function a rule, from a case to findings."""
