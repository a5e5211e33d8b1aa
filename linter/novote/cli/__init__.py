"""The command line: arguments, streams, exit codes; one file a command, nothing of the analysis."""
