"""The command `analyzer`, also as `python -m analyzer`."""

from analyzer.collector import rare_collections


def main() -> None:
    """Run the command line; its modules are imported here, because looking for garbage between them took half a second."""
    with rare_collections():
        from analyzer.cli import main as run

        run()


if __name__ == "__main__":
    main()
