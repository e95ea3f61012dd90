//! Options that several pipelines have.

use crate::infra::{
    OptionSpec,
    pipeline::{Setting, When, fixed},
};

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

/// Whether passes say what they do to loops.
pub const REMARKS: OptionSpec = OptionSpec::bool(
    "remarks",
    "say which loops there are, and what was done to them",
    false,
);

/// The setting of passes in a pipeline that has the option.
pub const SAY: Setting = fixed("remarks", "true").when(When::On("remarks"));

/// Whether functions of the library are linked: where code is for one thread of this process.
pub const LINK_LIBRARY: OptionSpec = OptionSpec::bool(
    "link-library",
    "large functions of the library are those that the host keeps compiled",
    false,
);

/// The oldest device that kernels are for.
pub const CHIP: OptionSpec = OptionSpec::text(
    "chip",
    "the oldest device of NVIDIA's that is wanted; drivers compile for newer ones",
    "sm_70",
);

/// What runs kernels.
pub const DEVICE: OptionSpec = OptionSpec::text(
    "device",
    "what runs kernels: opencl (SPIR-V), cuda (PTX), or a device of an extension",
    "opencl",
);

/// Whether kernels may compute with float64.
pub const FP64: OptionSpec = OptionSpec::bool(
    "fp64",
    "the device has double precision; without it loops with float64 stay on the host",
    true,
);

/// Whether functions enter contexts of devices.
pub const CHOSEN: OptionSpec = OptionSpec::bool(
    "chosen",
    "functions enter contexts of devices: loops have a version for the host, too",
    false,
);

/// The options of a pipeline for a device.
pub const OF_DEVICE: &[OptionSpec] = &[DEVICE, CHIP, FP64, CHOSEN];

/// Two lists of options, one behind the other.
pub const fn joined<const COUNT: usize>(
    one: &[OptionSpec],
    other: &[OptionSpec],
) -> [OptionSpec; COUNT] {
    let mut all = [ERROR_MODEL; COUNT];
    let mut at = 0;
    while at < COUNT {
        all[at] = if at < one.len() {
            one[at]
        } else {
            other[at - one.len()]
        };
        at += 1;
    }
    all
}
