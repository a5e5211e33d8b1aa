"""What novote knows of GitHub, of actions, of test runners and of its own rules: `rules/` as immutable tables."""
