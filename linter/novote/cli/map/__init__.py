"""`novote map`: what a person does with the fixture map; one file a command."""
