//! Where CPython 3.11 keeps what compiled code touches directly: the one place that knows.
//!
//! Object mode runs a function on the interpreter's own frame, so that whatever looks at frames
//! (tracebacks, `sys._getframe`, `locals()`, the garbage collector) finds what it expects. These
//! are byte offsets into CPython's structures on 64-bit platforms; they are the same in all
//! releases of 3.11, and the host checks them against a live frame before it runs anything.

/// `_PyInterpreterFrame`.
pub mod frame {
    /// The function that runs.
    pub const FUNCTION: usize = 0;
    /// The function's globals.
    pub const GLOBALS: usize = 8;
    /// The function's builtins.
    pub const BUILTINS: usize = 16;
    /// The code object that runs.
    pub const CODE: usize = 32;
    /// The frame below.
    pub const PREVIOUS: usize = 48;
    /// The address of the instruction that runs.
    pub const INSTRUCTION: usize = 56;
    /// How many of the locals and stack slots hold something, 32 bits.
    pub const STACK_TOP: usize = 64;
    /// The first local; cells, free variables and the value stack follow.
    pub const LOCALS: usize = 72;
}

/// Generators' instructions.
pub mod generator {
    /// How many bytes behind the instruction that yields for a delegation the frame is said to be
    /// when throwing has ended what it delegates to: at the jump back to `SEND`.
    pub const DELEGATION_ENDED: i64 = 4;
}

/// `PyObject`.
pub mod object {
    /// The type.
    pub const TYPE: usize = 8;
}

/// `PyCellObject`.
pub mod cell {
    /// What the cell holds, or null.
    pub const VALUE: usize = 16;
}

/// `PyTypeObject`.
pub mod types {
    /// `tp_iternext`: gives the next item of an iterator.
    pub const NEXT: usize = 224;
}

/// `PyDictObject`.
pub mod dict {
    /// The version of its contents, 64 bits.
    pub const VERSION: usize = 24;
}

/// `PyThreadState`.
pub mod thread {
    /// The interpreter.
    pub const INTERPRETER: usize = 16;
}

/// `PyInterpreterState`.
pub mod interpreter {
    /// Not zero when somebody wants to interrupt what runs: a signal, or a thread that waits for
    /// the GIL. 32 bits.
    pub const BREAKER: usize = 100;
}

/// `PyCodeObject`.
pub mod code {
    /// How many locals, cells and free variables there are, 32 bits.
    pub const LOCALS: usize = 76;
    /// The bytecode.
    pub const BYTECODE: usize = 184;
}
