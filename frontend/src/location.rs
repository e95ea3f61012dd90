//! Source positions as MLIR locations, and back.

use crate::tables::Position;
use melior::{Context, ir::Location};
use mlir_sys::{mlirIdentifierStr, mlirLocationFileLineColRangeGetFilename};
use std::slice;

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

/// A place in a source file. Lines and columns count from 1, columns in bytes; 0 is an unknown
/// column. The end column is the one behind the last character.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SourcePosition {
    /// The file's name.
    pub file: String,
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// The line where the range ends.
    pub end_line: usize,
    /// The column where the range ends.
    pub end_column: usize,
}

impl SourcePosition {
    /// Finds the first file position in a location: of a fused one the first that has one, of a
    /// call site the callee's.
    pub fn of(location: Location) -> Option<Self> {
        if location.is_file_line_col_range() {
            return Some(Self {
                file: file_name(location),
                line: location.file_line_col_range_start_line(),
                column: location.file_line_col_range_start_column(),
                end_line: location.file_line_col_range_end_line(),
                end_column: location.file_line_col_range_end_column(),
            });
        }
        if location.is_name() {
            return Self::of(location.name_child_location());
        }
        if location.is_call_site() {
            return Self::of(location.call_site_callee());
        }
        if location.is_fused() {
            return (0..location.fused_num_locations())
                .find_map(|index| Self::of(location.fused_location(index)));
        }
        None
    }
}

/// Reads the file name, which may be empty: melior's own accessor panics then.
fn file_name(location: Location) -> String {
    // SAFETY: the caller checked the kind of the location, and its context owns the bytes.
    let bytes = unsafe {
        let name = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location.to_raw()));
        match name.length {
            0 => &[],
            length => slice::from_raw_parts(name.data.cast(), length),
        }
    };
    String::from_utf8_lossy(bytes).into_owned()
}
