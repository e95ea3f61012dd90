"""What differs between the versions of CPython that the package runs in."""

import sys
from opcode import opmap

VERSION = sys.version_info[:2]

# The instructions that load an attribute, with how many bits of their argument are below the number of its
# name: since 3.12 one bit asks for what a call needs, which was another instruction.
if VERSION < (3, 12):
    ATTRIBUTE_LOADS = {opmap["LOAD_ATTR"]: 0, opmap["LOAD_METHOD"]: 0}
else:
    ATTRIBUTE_LOADS = {opmap["LOAD_ATTR"]: 1}
