"""What GitHub's API is asked for, where the user wants that: nothing else of novote uses the network."""
