//! LLVM's optimisation remarks: what its passes over loops did, and why they did no more.

use std::slice;

use libc::{c_char, c_uint, c_void};
use llvm_sys::prelude::LLVMContextRef;

/// What a remark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemarkKind {
    /// Something was done.
    Passed,
    /// Something wasn't done.
    Missed,
    /// Why it wasn't, or what it would have cost.
    Analysis,
}

/// A remark of a pass about a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The pass, such as `loop-vectorize`; empty for what passes say of loops that are annotated.
    pub pass: String,
    /// LLVM's name for what is said, such as `CantReorderFPOps`.
    pub name: String,
    /// What it says.
    pub kind: RemarkKind,
    /// LLVM's words.
    pub message: String,
    /// The file, empty if no place is known.
    pub file: String,
    /// The line, from one.
    pub line: u32,
    /// The column, from one; 0 if only the line is known.
    pub column: u32,
    /// The parts of the message that have names.
    pub arguments: Vec<RemarkArgument>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemarkArgument {
    /// Its name, such as `VectorizationFactor`.
    pub key: String,
    /// Its text.
    pub value: String,
    /// The line and column of the place that it is about, if there is one.
    pub place: Option<(u32, u32)>,
}

impl Remark {
    /// The text of a part of the message.
    pub fn argument(&self, key: &str) -> Option<&str> {
        let mut arguments = self.arguments.iter();
        arguments
            .find(|argument| argument.key == key)
            .map(|argument| argument.value.as_str())
    }
}

/// What the glue calls: the second argument is lent.
pub(super) type Sink = unsafe extern "C" fn(*mut c_void, *const RawRemark);

unsafe extern "C" {
    /// Sets a context's handler, which gets what the context's handler of diagnostics got.
    pub(super) fn pyoptCollectRemarks(context: LLVMContextRef, sink: Sink);
}

#[repr(C)]
struct RawText {
    data: *const c_char,
    length: usize,
}

#[repr(C)]
struct RawArgument {
    key: RawText,
    value: RawText,
    line: c_uint,
    column: c_uint,
}

/// A remark as the glue lends it.
#[repr(C)]
pub(super) struct RawRemark {
    pass: RawText,
    name: RawText,
    file: RawText,
    message: RawText,
    kind: c_uint,
    line: c_uint,
    column: c_uint,
    arguments: *const RawArgument,
    count: usize,
}

impl RawRemark {
    /// Copies the remark.
    ///
    /// # Safety
    ///
    /// All that it points to is live.
    pub(super) unsafe fn to_remark(&self) -> Remark {
        // SAFETY: the caller's promise.
        unsafe {
            let arguments = match self.count {
                0 => &[],
                count => slice::from_raw_parts(self.arguments, count),
            };
            Remark {
                pass: self.pass.copied(),
                name: self.name.copied(),
                kind: match self.kind {
                    0 => RemarkKind::Passed,
                    1 => RemarkKind::Missed,
                    _ => RemarkKind::Analysis,
                },
                message: self.message.copied(),
                file: self.file.copied(),
                line: self.line,
                column: self.column,
                arguments: arguments.iter().map(|one| one.to_argument()).collect(),
            }
        }
    }
}

impl RawArgument {
    /// # Safety
    ///
    /// The texts are live.
    unsafe fn to_argument(&self) -> RemarkArgument {
        // SAFETY: the caller's promise.
        unsafe {
            RemarkArgument {
                key: self.key.copied(),
                value: self.value.copied(),
                place: (self.line != 0).then_some((self.line, self.column)),
            }
        }
    }
}

impl RawText {
    /// # Safety
    ///
    /// The text is live.
    unsafe fn copied(&self) -> String {
        if self.length == 0 {
            return String::new();
        }
        // SAFETY: the caller's promise.
        let bytes = unsafe { slice::from_raw_parts(self.data.cast::<u8>(), self.length) };
        String::from_utf8_lossy(bytes).into_owned()
    }
}
