"""The command `analyzer`, also as `python -m analyzer`."""

import sys

from analyzer.collector import rare_collections


def main() -> None:
    """Run the command line; its modules are imported here, because looking for garbage between them took half a second."""
    try:
        with rare_collections():
            from analyzer.cli import main as run

            run()
    except KeyboardInterrupt:
        sys.exit(130)  # before the command began: there is nothing to say or to save


if __name__ == "__main__":
    main()
