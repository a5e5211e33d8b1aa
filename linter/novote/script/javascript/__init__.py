"""JavaScript over guarded values: the bodies of `actions/github-script`, Node programs and local modules."""
