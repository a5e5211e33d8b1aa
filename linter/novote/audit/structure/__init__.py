"""Findings that no single claim makes: what the gate lets through, and how selectors see the change."""
