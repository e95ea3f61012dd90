//! What our passes and LLVM's say of loops, for Python to explain.

use pyo3::prelude::*;
use pyopt_passes::infra::Diagnostic;
use pyopt_runtime::engine::Remark;

/// A remark on a loop as Python has it.
#[derive(IntoPyObject)]
pub struct LoopRemark {
    /// The pass of LLVM that it is from; empty: one of ours.
    pass_name: String,
    /// What it is about: for one of ours its kind, for one of LLVM's the name it has there.
    kind: String,
    message: String,
    /// Empty: the place isn't known.
    file: String,
    line: usize,
    /// From one; 0: it is about the line.
    column: usize,
    /// The parts of LLVM's message that have names.
    arguments: Vec<RemarkPart>,
}

/// A part of LLVM's message: its name, its text, and the line and the column of what it is about.
type RemarkPart = (String, String, Option<(u32, u32)>);

impl LoopRemark {
    /// One of our passes' diagnostics, if it is about a loop.
    pub fn of_ours(told: Diagnostic) -> Option<Self> {
        let kind = told.kind?;
        let place = told.position.as_ref();
        Some(LoopRemark {
            pass_name: String::new(),
            kind: kind.into(),
            file: place.map_or_else(String::new, |place| place.file.clone()),
            line: place.map_or(0, |place| place.line),
            column: place.map_or(0, |place| place.column),
            message: told.message,
            arguments: Vec::new(),
        })
    }

    /// One of LLVM's remarks.
    pub fn of_llvm(remark: Remark) -> Self {
        let arguments = remark.arguments.into_iter();
        LoopRemark {
            // What is said of loops with annotations comes under no name.
            pass_name: match remark.pass.is_empty() {
                true => "loop-vectorize".into(),
                false => remark.pass,
            },
            kind: remark.name,
            message: remark.message,
            file: remark.file,
            line: remark.line as usize,
            column: remark.column as usize,
            arguments: arguments
                .map(|one| (one.key, one.value, one.place))
                .collect(),
        }
    }
}
