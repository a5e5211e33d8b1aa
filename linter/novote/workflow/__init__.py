"""The typed view of workflows and actions, over nodes that keep their places."""
