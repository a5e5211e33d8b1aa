"""What Python programs may call: `novote.audit` and the records it gives (docs/api.md)."""
