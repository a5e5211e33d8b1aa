"""What removes a finding: edits of the file it was found in, a function a rule."""
