"""Command line of the project: ``python -m forcebench_lib COMMAND``. Each room registers its own commands."""

import argparse
import sys
from collections.abc import Sequence

from . import corpus_command as corpus
from . import labelstudio, submission, tuning
from .book import command as book
from .exports import command as exports
from .gate import command as gate
from .importers import command as importers
from .judging import command as judging
from .quartets import command as quartets
from .release import folder as release
from .schema import InputError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Exit code 0: done; 1: it ran and found something wrong; 2: the input is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m forcebench_lib", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for room in (corpus, importers, labelstudio, judging, submission, exports, quartets, gate, release, tuning, book):
        room.add_command(commands)
    parsed = parser.parse_args(arguments)
    try:
        code: int = parsed.run(parsed)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return code


if __name__ == "__main__":
    sys.exit(main())
