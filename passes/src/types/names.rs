//! Qualified names: what kind of thing one stands for.

use crate::types::{exception_classes as classes, scalar_names::scalar_type};

/// The names that others are in, sorted: modules, and functions with attributes such as
/// `numpy.add.reduce`.
pub(crate) const NAMESPACES: &[&str] = &[
    "bisect",
    "builtins",
    "builtins.bytes",
    "builtins.dict",
    "builtins.enumerate",
    "builtins.float",
    "builtins.int",
    "builtins.list",
    "builtins.max",
    "builtins.min",
    "builtins.reversed",
    "builtins.set",
    "builtins.str",
    "builtins.unpack",
    "builtins.zip",
    "bytes",
    "cmath",
    "dict",
    "dict.items",
    "dict.keys",
    "dict.pop",
    "dict.values",
    "flat",
    "float",
    "function",
    "functools",
    "heapq",
    "int",
    "itertools",
    "itertools.chain",
    "list",
    "math",
    "numbers",
    "numpy",
    "numpy.add",
    "numpy.flat",
    "numpy.lib",
    "numpy.lib.stride_tricks",
    "numpy.linalg",
    "numpy.logical_and",
    "numpy.logical_or",
    "numpy.maximum",
    "numpy.minimum",
    "numpy.multiply",
    "numpy.ndindex",
    "numpy.random",
    "operator",
    "pyopt",
    "pyopt.FFI",
    "pyopt.bound",
    "pyopt.library",
    "pyopt.library.intrinsics",
    "pyopt.np",
    "pyopt.np.ufunc",
    "pyopt.np.ufunc.parallel",
    "pyopt.types",
    "pyopt.types.composite",
    "random",
    "range",
    "set",
    "set.keys",
    "slice",
    "str",
    "time",
    "tuple",
    "ufunc",
];

/// Namespaces that are functions, too: their parts are what the library does for some of their arguments.
const CALLED: &[&str] = &[
    "builtins.bytes",
    "builtins.enumerate",
    "builtins.float",
    "builtins.int",
    "builtins.max",
    "builtins.min",
    "builtins.reversed",
    "builtins.str",
    "builtins.zip",
    "numpy.add",
    "numpy.logical_and",
    "numpy.logical_or",
    "numpy.maximum",
    "numpy.minimum",
    "numpy.multiply",
];

/// Classes that `isinstance` knows and that make no numbers.
pub(crate) const CLASSES: &[&str] = &[
    "builtins.bytearray",
    "builtins.bytes",
    "builtins.dict",
    "builtins.frozenset",
    "builtins.memoryview",
    "builtins.object",
    "builtins.set",
    "numbers.Complex",
    "numbers.Integral",
    "numbers.Number",
    "numbers.Rational",
    "numbers.Real",
    "numpy.complexfloating",
    "numpy.floating",
    "numpy.inexact",
    "numpy.integer",
    "numpy.ndarray",
    "numpy.number",
    "numpy.signedinteger",
    "numpy.unsignedinteger",
];

/// Whether a qualified name is one of a builtin exception class.
pub(crate) fn is_exception(name: &str) -> bool {
    name.strip_prefix("builtins.")
        .is_some_and(classes::is_builtin)
}

/// What follows the last dot.
pub(crate) fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// One name for each thing: Numba's names are ours.
pub(crate) fn canonical(name: &str) -> String {
    match name.strip_prefix("numba") {
        Some(rest) if rest.is_empty() || rest.starts_with('.') => format!("pyopt{rest}"),
        _ => name.into(),
    }
}

/// Whether other names are in a name.
pub(crate) fn is_namespace(name: &str) -> bool {
    NAMESPACES.binary_search(&name).is_ok()
}

/// Whether a name that compiled code knows is that of a function, or of a type that converts
/// numbers. Constants have no such names: they are numbers where they are used.
pub(crate) fn is_function(name: &str) -> bool {
    (!is_namespace(name) || CALLED.contains(&name))
        && !CLASSES.contains(&name)
        && !is_exception(name)
}

/// Whether a qualified name is that of a class of numbers or texts, which `isinstance` knows as well as calls.
pub(crate) fn is_class_of_values(name: &str) -> bool {
    scalar_type(name).is_some() || matches!(name, "builtins.bytes" | "builtins.str")
}
