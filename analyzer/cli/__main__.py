"""`python -m analyzer.cli`: the same as the command `analyzer`."""

from analyzer.cli import main

main()
