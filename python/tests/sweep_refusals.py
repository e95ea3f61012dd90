"""What the sweep over the overload library knows to be refused or different, each with its reason."""

# Functions (any, where none is named), a part of the message, and why.
REFUSALS = []

# Patterns of an expression with dtype, values, shape, layout and problem, and why.
DIFFERENCES = []
