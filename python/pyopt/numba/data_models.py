"""What Numba has in ``numba.core.datamodel``: the models of types, which are all in one registry."""

from pyopt.own_types import OpaqueModel, StructModel, register_model

__all__ = ["OpaqueModel", "StructModel", "register", "register_default"]

register_default = register_model


def register(dmm, typecls):
    """Be the decorator of the model of a class of types, whatever registry is said."""
    return register_model(typecls)
