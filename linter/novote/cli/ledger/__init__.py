"""The commands `novote ledger ...`, one file each."""
