"""GitHub Actions expressions: lexer, parser, coercions, functions and evaluation over guarded values."""
