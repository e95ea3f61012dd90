//! Standard output.

use anyhow::{Context as _, Result};
use std::io::{ErrorKind, Write as _};

/// Writes a text to standard output. A reader that has seen enough is no error, and has no signal end the
/// process, as the pipe to an interpreter that has ended would too.
pub fn write(text: &str) -> Result<()> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("can't write to standard output")
        }
        _ => Ok(()),
    }
}
