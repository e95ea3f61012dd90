//! The line table that CPython 3.10 attaches to code (PEP 626). It has no exception table.

use crate::tables::{ExceptionHandler, Position, TableError};

/// The line delta that says that instructions have no line.
const NO_LINE: i8 = -128;

/// The largest line delta of an entry.
const MAX_LINES: i32 = 127;

/// For how many bytes of bytecode an entry is at most.
const MAX_BYTES: usize = 254;

/// Decodes a line table (`co_linetable`) into one position for each code unit.
pub(crate) fn positions(
    bytes: &[u8],
    first_line: i32,
    code_units: usize,
) -> Result<Vec<Position>, TableError> {
    let error = |offset, message| TableError {
        table: "position",
        offset,
        message,
    };
    let (entries, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(error(bytes.len(), "truncated"));
    }
    let mut positions = Vec::with_capacity(code_units);
    let mut line = first_line;
    for (index, &[size, delta]) in entries.iter().enumerate() {
        let delta = delta as i8;
        let error = |message| error(2 * index, message);
        if size % 2 != 0 {
            return Err(error("entry ends in a code unit"));
        }
        let mut at = None;
        if delta != NO_LINE {
            line = line
                .checked_add(delta.into())
                .ok_or_else(|| error("line number out of range"))?;
            at = u32::try_from(line).ok();
        }
        let units = usize::from(size / 2);
        if positions.len() + units > code_units {
            return Err(error("more entries than code units"));
        }
        let position = Position {
            line: at,
            end_line: at,
            ..Position::default()
        };
        positions.extend(std::iter::repeat_n(position, units));
    }
    positions.resize(code_units, Position::default());
    Ok(positions)
}

/// Encodes the lines of one position for each code unit.
pub(crate) fn write_positions(positions: &[Position], first_line: i32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut line = first_line;
    for run in positions.chunk_by(|left, right| left.line == right.line) {
        let mut delta = NO_LINE;
        if let Some(at) = run[0].line {
            let mut lines = at as i32 - line;
            line = at as i32;
            while lines.abs() > MAX_LINES {
                let step = lines.clamp(-MAX_LINES, MAX_LINES);
                bytes.extend([0, step as i8 as u8]);
                lines -= step;
            }
            delta = lines as i8;
        }
        for units in run.chunks(MAX_BYTES / 2) {
            bytes.extend([(2 * units.len()) as u8, delta as u8]);
            // What follows on the same line doesn't advance it again.
            delta = if delta == NO_LINE { NO_LINE } else { 0 };
        }
    }
    bytes
}

/// There is no exception table: handlers are on the stack of blocks.
pub(crate) fn exception_handlers(_: &[u8]) -> Result<Vec<ExceptionHandler>, TableError> {
    Ok(Vec::new())
}

/// There is no exception table.
pub(crate) fn write_exception_handlers(_: &[ExceptionHandler]) -> Vec<u8> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_as_they_were_written() {
        let at = |line| Position {
            line,
            end_line: line,
            ..Position::default()
        };
        let mut written = vec![at(Some(7)); 300];
        written.extend([at(Some(5)), at(None), at(Some(1000)), at(Some(2))]);
        written.extend(vec![at(None); 130]);
        let bytes = write_positions(&written, 6);
        assert_eq!(positions(&bytes, 6, written.len()), Ok(written.clone()));
        let message = |bytes: &[u8]| positions(bytes, 6, 4).unwrap_err().message;
        assert_eq!(message(&[2, 0, 2]), "truncated");
        assert_eq!(message(&[3, 0]), "entry ends in a code unit");
        assert_eq!(message(&[10, 0]), "more entries than code units");
    }
}
