"""Whether a commit may merge: only where the matrix, recomputed now, is green at exactly that commit."""
