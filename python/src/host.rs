//! The CPython that the extension is built for.

use pyopt_frontend::version::Version;

/// The version that wrote all live code objects.
pub const VERSION: Version = Version::new(3, minor());

/// Whether code objects have tables of exceptions: 3.10 keeps handlers on a stack of blocks.
pub const HAS_EXCEPTION_TABLES: bool = VERSION.minor >= Version::PYTHON_3_11.minor;

/// The minor version, as the build script says it.
const fn minor() -> u8 {
    let mut number = 0;
    let mut digits = env!("PYOPT_PYTHON_MINOR").as_bytes();
    while let [digit, rest @ ..] = digits {
        number = 10 * number + (*digit - b'0');
        digits = rest;
    }
    number
}
