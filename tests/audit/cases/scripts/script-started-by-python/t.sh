#!/bin/sh
pytest -k "$1"  # expect: claim-picks-fixtures claim=branch polarity=choose
