"""Runs the command line as `python -m novote`."""

import sys

from novote.cli.main import main

sys.exit(main())
