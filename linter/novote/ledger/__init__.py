"""The flake ledger: what CI tried, how often and how it ended; and the runner that writes it."""
