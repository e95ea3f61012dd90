"""What an intrinsic's typing function asks: all that is needed where code is written in MLIR's syntax."""

from pyopt import types


class Installed:
    """Contexts know what registries have as soon as these have it."""

    def install_registry(self, registry):
        """Do nothing."""

    def refresh(self):
        """Do nothing."""


class TypingContext(Installed):
    """What an intrinsic's typing function gets first."""

    def resolve_value_type(self, value):
        """Give the type of a value."""
        return types.argument_type(value)

    resolve_argument_type = resolve_value_type_prefer_literal = resolve_value_type

    def resolve_function_type(self, func, args, kws):
        """Give the signature of the call of a function, compiled or not, with arguments of types."""
        from pyopt.intrinsics import calls

        return calls.signature_of(func, args, kws)

    def can_convert(self, fromty, toty):
        """Say how good the conversion of one type to another one is; None if there is none."""
        from pyopt.conversions import can_convert

        return can_convert(fromty, toty)

    def __getattr__(self, name):
        """Refuse what isn't there, by name."""
        raise NotImplementedError(f"'{name}' of an intrinsic's typing context")


class Delegated(Exception):
    """A code generator that only calls a Python function on its arguments: that is the code."""

    def __init__(self, function):
        """Keep the function."""
        super().__init__(function)
        self.function = function
