"""Demand-driven evaluation of a repository's workflows: what each exam decision depends on, and which way it cuts."""
