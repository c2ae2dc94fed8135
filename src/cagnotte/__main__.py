"""The command, and `python -m cagnotte`: Ctrl-C ends it without a word while it is still being loaded too."""

import sys


def main() -> int:
    """Run one command of `cagnotte.cli`; its exit code."""
    try:
        from cagnotte import cli
    except KeyboardInterrupt:
        return 130
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
