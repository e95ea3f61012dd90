"""``python -m pyopt``: says what a bug report needs; with a command, what that does."""

import argparse
import sys

from pyopt import cache, offload, report


def main(arguments):
    """Run the command line; return the status of the process."""
    parser = argparse.ArgumentParser(
        prog="python -m pyopt",
        description="Without a command, prints versions, the machine, threads, caches and devices.",
    )
    commands = parser.add_subparsers(dest="command")
    cache.add_command(commands)
    offload.add_command(commands)
    given = parser.parse_args(arguments)
    if given.command is None:
        print(report.text())
        return 0
    return given.run(given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
