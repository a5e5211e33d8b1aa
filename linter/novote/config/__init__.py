"""A repository's own configuration, `.github/novote.yml`."""
