//! Source positions as MLIR locations.

use crate::tables::Position;
use melior::{Context, ir::Location};

/// The location of a position. MLIR counts columns from 1, and 0 says that none is known; a range
/// ends before its last column, as in Python.
pub fn to_location<'c>(context: &'c Context, filename: &str, position: Position) -> Location<'c> {
    let Some(line) = position.line else {
        return Location::new(context, filename, 0, 0);
    };
    let (line, column) = (
        line as usize,
        position.column.map_or(0, |column| column as usize + 1),
    );
    match (position.end_line, position.end_column) {
        (Some(end_line), Some(end_column)) if column != 0 => Location::file_line_col_range(
            context,
            filename,
            line,
            column,
            end_line as usize,
            end_column as usize + 1,
        ),
        _ => Location::new(context, filename, line, column),
    }
}

/// The location of a line.
pub fn line_location<'c>(context: &'c Context, filename: &str, line: i32) -> Location<'c> {
    Location::new(context, filename, usize::try_from(line).unwrap_or(0), 0)
}
