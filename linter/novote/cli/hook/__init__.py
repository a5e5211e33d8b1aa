"""The pre-push hook: advice before a push, and a list of paths as a hint. CI checks everything again."""
