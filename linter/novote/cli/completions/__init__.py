"""`novote completions`: what a shell needs to complete novote's command line."""
