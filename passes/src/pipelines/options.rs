//! Options that several pipelines have.

use crate::infra::OptionSpec;

/// What division by zero does; an option of every pipeline that starts from Python.
pub const ERROR_MODEL: OptionSpec = OptionSpec::text(
    "error-model",
    "python: division by zero raises; numpy: it gives infinity, NaN or 0",
    "python",
);

/// Whether indices are checked; an option of every pipeline that starts from Python.
pub const BOUNDSCHECK: OptionSpec =
    OptionSpec::bool("boundscheck", "an index out of bounds raises", false);

/// LLVM's fast-math flags; an option of every pipeline that starts from Python.
pub const FASTMATH: OptionSpec = OptionSpec::texts(
    "fastmath",
    "flags of all float operations: afn, arcp, contract, fast, ninf, nnan, nsz, reassoc",
    &[],
);

/// Whether debuggers are told of functions, lines and variables.
pub const DEBUG: OptionSpec = OptionSpec::bool(
    "debug",
    "describe functions, lines and variables to debuggers",
    false,
);

/// Whether functions of the library are linked: where code is for one thread of this process.
pub const LINK_LIBRARY: OptionSpec = OptionSpec::bool(
    "link-library",
    "large functions of the library are those that the host keeps compiled",
    false,
);

/// The oldest device that kernels are for.
pub const CHIP: OptionSpec = OptionSpec::text(
    "chip",
    "the oldest device wanted; drivers compile for newer ones",
    "sm_70",
);

/// Where math functions of kernels come from.
pub const LIBDEVICE: OptionSpec = OptionSpec::text(
    "libdevice",
    "the file libdevice.*.bc of a CUDA toolkit; without it loops with functions such as sqrt stay \
     on the host",
    "",
);
