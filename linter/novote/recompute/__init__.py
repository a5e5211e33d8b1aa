"""From changed paths and the fixture map to the matrix, with its reasons; no claim comes near it."""
