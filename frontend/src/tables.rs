//! The two compact tables that CPython attaches to code since 3.11: source positions and exception
//! handlers.

use std::fmt;

/// A malformed position or exception table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// Which table.
    pub table: &'static str,
    /// The byte offset in the table.
    pub offset: usize,
    /// What is wrong there.
    pub message: &'static str,
}

impl fmt::Display for TableError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "malformed {} table at byte {}: {}",
            self.table, self.offset, self.message
        )
    }
}

impl std::error::Error for TableError {}

/// Where an instruction comes from; each part may be unknown. Lines count from 1, columns (in UTF-8
/// bytes) from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    /// The first line.
    pub line: Option<u32>,
    /// The last line.
    pub end_line: Option<u32>,
    /// The column of the first character.
    pub column: Option<u32>,
    /// The column after the last character.
    pub end_column: Option<u32>,
}

impl fmt::Display for Position {
    /// Writes `line:column-line:column` in the style of `dis`, leaving out what is unknown.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { line: None, .. } => write!(formatter, "?"),
            Self {
                line: Some(line),
                end_line: Some(end_line),
                column: Some(column),
                end_column: Some(end_column),
            } => write!(formatter, "{line}:{column}-{end_line}:{end_column}"),
            Self {
                line: Some(line), ..
            } => write!(formatter, "{line}"),
        }
    }
}

/// An entry of the exception table; offsets are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExceptionHandler {
    /// The first protected instruction.
    pub start: u32,
    /// The end of the protected range.
    pub end: u32,
    /// Where control goes when an instruction in the range raises.
    pub target: u32,
    /// The depth to which the stack is cut before the exception is pushed.
    pub depth: u32,
    /// Whether the offset of the raising instruction is pushed too.
    pub push_last_offset: bool,
}

struct TableReader<'a> {
    table: &'static str,
    bytes: &'a [u8],
    offset: usize,
}

impl TableReader<'_> {
    fn is_at_end(&self) -> bool {
        self.offset == self.bytes.len()
    }

    fn error<T>(&self, message: &'static str) -> Result<T, TableError> {
        Err(TableError {
            table: self.table,
            offset: self.offset,
            message,
        })
    }

    fn byte(&mut self) -> Result<u8, TableError> {
        match self.bytes.get(self.offset) {
            Some(&byte) => {
                self.offset += 1;
                Ok(byte)
            }
            None => self.error("truncated"),
        }
    }

    /// A number in 6-bit groups, least significant first.
    fn little_varint(&mut self) -> Result<u32, TableError> {
        let mut value = 0u32;
        for shift in (0..).step_by(6) {
            let byte = self.byte()?;
            let group = u32::from(byte & 0x3f);
            if shift >= 32 || group.checked_shl(shift).map(|part| part >> shift) != Some(group) {
                return self.error("number does not fit 32 bits");
            }
            value |= group << shift;
            if byte & 0x40 == 0 {
                break;
            }
        }
        Ok(value)
    }

    /// A signed number: its lowest bit is the sign.
    fn signed_varint(&mut self) -> Result<i32, TableError> {
        let value = self.little_varint()?;
        let magnitude = (value >> 1) as i32;
        Ok(if value & 1 != 0 {
            -magnitude
        } else {
            magnitude
        })
    }

    /// A number in 6-bit groups, most significant first.
    fn big_varint(&mut self) -> Result<u32, TableError> {
        let mut value = 0u32;
        loop {
            let byte = self.byte()?;
            if value >> 26 != 0 {
                return self.error("number does not fit 32 bits");
            }
            value = value << 6 | u32::from(byte & 0x3f);
            if byte & 0x40 == 0 {
                return Ok(value);
            }
        }
    }
}

/// Decodes a position table (`co_linetable`) into one position for each code unit.
pub(crate) fn positions(
    bytes: &[u8],
    first_line: i32,
    code_units: usize,
) -> Result<Vec<Position>, TableError> {
    let mut reader = TableReader {
        table: "position",
        bytes,
        offset: 0,
    };
    let mut positions = Vec::with_capacity(code_units);
    let mut line = first_line;
    while !reader.is_at_end() {
        let head = reader.byte()?;
        if head & 0x80 == 0 {
            reader.offset -= 1;
            return reader.error("entry without a start bit");
        }
        let units = usize::from(head & 7) + 1;
        let kind = head >> 3 & 0xf;
        let mut end_line_delta = 0;
        let columns = match kind {
            // Columns below 80: the kind is the column's upper bits.
            0..=9 => {
                let byte = reader.byte()?;
                let column = u32::from(kind) << 3 | u32::from(byte >> 4);
                Some((Some(column), Some(column + u32::from(byte & 0xf))))
            }
            // On one line, up to two lines after the last entry's.
            10..=12 => {
                line = advance(&reader, line, i32::from(kind) - 10)?;
                Some((
                    Some(u32::from(reader.byte()?)),
                    Some(u32::from(reader.byte()?)),
                ))
            }
            13 => {
                let delta = reader.signed_varint()?;
                line = advance(&reader, line, delta)?;
                Some((None, None))
            }
            14 => {
                let delta = reader.signed_varint()?;
                line = advance(&reader, line, delta)?;
                end_line_delta = reader.little_varint()?;
                let (column, end_column) = (reader.little_varint()?, reader.little_varint()?);
                Some((column.checked_sub(1), end_column.checked_sub(1)))
            }
            _ => None,
        };
        let position = match (columns, u32::try_from(line)) {
            (Some((column, end_column)), Ok(line)) => Position {
                line: Some(line),
                end_line: line.checked_add(end_line_delta),
                column,
                end_column,
            },
            _ => Position::default(),
        };
        if positions.len() + units > code_units {
            return reader.error("more entries than code units");
        }
        positions.extend(std::iter::repeat_n(position, units));
    }
    positions.resize(code_units, Position::default());
    Ok(positions)
}

fn advance(reader: &TableReader, line: i32, delta: i32) -> Result<i32, TableError> {
    line.checked_add(delta)
        .map_or_else(|| reader.error("line number out of range"), Ok)
}

/// Decodes an exception table (`co_exceptiontable`).
pub(crate) fn exception_handlers(bytes: &[u8]) -> Result<Vec<ExceptionHandler>, TableError> {
    let mut reader = TableReader {
        table: "exception",
        bytes,
        offset: 0,
    };
    let mut handlers = Vec::new();
    while !reader.is_at_end() {
        // The start bit of an entry is above the six bits that a number uses.
        let start = reader.big_varint()?;
        let length = reader.big_varint()?;
        let target = reader.big_varint()?;
        let depth_and_flag = reader.big_varint()?;
        let end = start.checked_add(length);
        let in_bytes = |units: Option<u32>| units.and_then(|units| units.checked_mul(2));
        let (Some(start), Some(end), Some(target)) =
            (in_bytes(Some(start)), in_bytes(end), in_bytes(Some(target)))
        else {
            return reader.error("offset does not fit 32 bits");
        };
        handlers.push(ExceptionHandler {
            start,
            end,
            target,
            depth: depth_and_flag >> 1,
            push_last_offset: depth_and_flag & 1 != 0,
        });
    }
    Ok(handlers)
}

/// How many code units an entry of the position table is for at most.
const MAX_UNITS: usize = 8;

/// Encodes one position for each code unit as a position table.
pub(crate) fn write_positions(positions: &[Position], first_line: i32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut line = first_line;
    for run in positions.chunk_by(PartialEq::eq) {
        for units in run.chunks(MAX_UNITS) {
            let Position {
                line: at,
                end_line,
                column,
                end_column,
            } = units[0];
            let mut head = |kind: u8| bytes.push(0x80 | kind << 3 | (units.len() - 1) as u8);
            let Some(at) = at else {
                head(15);
                continue;
            };
            let delta = at as i32 - line;
            line = at as i32;
            let (Some(column), Some(end_column)) = (column, end_column) else {
                head(13);
                write_signed(&mut bytes, delta);
                continue;
            };
            head(14);
            write_signed(&mut bytes, delta);
            write_little(&mut bytes, end_line.unwrap_or(at).saturating_sub(at));
            write_little(&mut bytes, column + 1);
            write_little(&mut bytes, end_column + 1);
        }
    }
    bytes
}

fn write_little(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x40 {
        bytes.push(0x40 | (value & 0x3f) as u8);
        value >>= 6;
    }
    bytes.push(value as u8);
}

fn write_signed(bytes: &mut Vec<u8>, value: i32) {
    write_little(bytes, value.unsigned_abs() << 1 | u32::from(value < 0));
}

/// Encodes an exception table, whose entries ascend.
pub(crate) fn write_exception_handlers(handlers: &[ExceptionHandler]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for handler in handlers {
        let start = bytes.len();
        write_big(&mut bytes, handler.start / 2);
        write_big(&mut bytes, (handler.end - handler.start) / 2);
        write_big(&mut bytes, handler.target / 2);
        write_big(
            &mut bytes,
            handler.depth << 1 | u32::from(handler.push_last_offset),
        );
        bytes[start] |= 0x80;
    }
    bytes
}

fn write_big(bytes: &mut Vec<u8>, value: u32) {
    let groups = value.max(1).ilog2() / 6;
    for group in (0..=groups).rev() {
        let more = if group > 0 { 0x40 } else { 0 };
        bytes.push(more | (value >> (6 * group) & 0x3f) as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_as_they_were_written() {
        let at = |line, end_line, column, end_column| Position {
            line,
            end_line,
            column,
            end_column,
        };
        let mut written = vec![at(Some(7), Some(7), Some(4), Some(90)); 20];
        written.extend([
            at(Some(5), Some(70), Some(0), Some(0)),
            at(Some(500), Some(500), None, None),
            Position::default(),
            at(Some(4), Some(5), Some(300), Some(5000)),
        ]);
        let bytes = write_positions(&written, 6);
        assert_eq!(positions(&bytes, 6, written.len()).unwrap(), written);
    }

    #[test]
    fn exception_handlers_are_read_as_they_were_written() {
        let handler = |start, end, target, depth| ExceptionHandler {
            start,
            end,
            target,
            depth,
            push_last_offset: depth % 2 == 0,
        };
        let written = [
            handler(0, 2, 4, 0),
            handler(126, 130, 8192, 31),
            handler(130, 1 << 20, 1 << 21, 32),
        ];
        let bytes = write_exception_handlers(&written);
        assert_eq!(exception_handlers(&bytes).unwrap(), written);
    }
}
