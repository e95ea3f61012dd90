#!/bin/sh
# 1 says to mlir-reduce that what is looked for is still there.
! grep -q 'typed.binary mul' "$1"
