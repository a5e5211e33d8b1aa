"""Finds and reads the files of a repository that novote audits."""
