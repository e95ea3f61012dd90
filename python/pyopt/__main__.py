"""``python -m pyopt``: what can be done with the package from a shell."""

import sys

from pyopt.cache import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
