"""The pieces of the report as a page: its look, its one script, and the picture of a flow."""
