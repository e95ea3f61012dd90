//! CPython 3.11's frames, functions, generators and thread states, field by field.
//!
//! The structures are the same in all releases of 3.11. What compiled code touches itself has its
//! offsets in `pyopt_frontend::frame_311`; both are checked against each other here, and
//! [`check`] checks them against a live frame before anything runs.

pub mod attributes;

use std::ffi::{c_char, c_int, c_void};
use std::mem::offset_of;

use pyo3::ffi::{self, PyObject};
use pyopt_frontend::frame_311 as compiled;

/// A call of an evaluation loop: `_PyCFrame`.
#[repr(C)]
pub struct CFrame {
    /// Not zero while a tracing or profiling function is set.
    pub use_tracing: u8,
    /// The frame that runs.
    pub current_frame: *mut Frame,
    /// The call below.
    pub previous: *mut CFrame,
}

/// The exception that is being handled: `_PyErr_StackItem`.
#[repr(C)]
pub struct ExceptionState {
    /// The exception, None or null.
    pub value: *mut PyObject,
    /// What was handled where this began.
    pub previous: *mut ExceptionState,
}

/// The start of `PyThreadState`.
#[repr(C)]
pub struct Thread {
    previous: *mut Thread,
    next: *mut Thread,
    /// The interpreter.
    pub interpreter: *mut ffi::PyInterpreterState,
    initialized: c_int,
    is_static: c_int,
    /// How many calls may still nest.
    pub recursion_remaining: c_int,
    recursion_limit: c_int,
    recursion_headroom: c_int,
    tracing: c_int,
    tracing_what: c_int,
    /// The innermost evaluation loop.
    pub cframe: *mut CFrame,
    profile_function: *mut c_void,
    trace_function: *mut c_void,
    profile_object: *mut PyObject,
    trace_object: *mut PyObject,
    /// The exception that is being raised.
    pub raised: [*mut PyObject; 3],
    /// The exception that is being handled.
    pub handled: *mut ExceptionState,
}

/// Where the thread keeps frames: two fields of `PyThreadState` further on.
#[repr(C)]
pub struct FrameMemory {
    before: [u8; 304],
    /// The first free word.
    pub top: *mut *mut PyObject,
    /// The end of the memory.
    pub limit: *mut *mut PyObject,
}

/// `_PyInterpreterFrame`, without its locals.
#[repr(C)]
pub struct Frame {
    /// The function, a reference.
    pub function: *mut FunctionObject,
    /// Its globals, borrowed.
    pub globals: *mut PyObject,
    /// Its builtins, borrowed.
    pub builtins: *mut PyObject,
    /// The namespace of a class body or module, a reference or null.
    pub locals: *mut PyObject,
    /// The code object, a reference.
    pub code: *mut Code,
    /// The frame object, if somebody has asked for it.
    pub object: *mut FrameObject,
    /// The frame below.
    pub previous: *mut Frame,
    /// The instruction that runs.
    pub instruction: *mut u16,
    /// How many of locals and stack slots are in use.
    pub stack_top: c_int,
    /// Whether the evaluation loop returns with this frame.
    pub is_entry: bool,
    /// Who frees it: see the constants.
    pub owner: c_char,
    /// Padding in CPython. For a generator's frame: whether compiled code began it, which then
    /// goes on with it, as the values on its stack are in compiled code's order.
    pub is_compiled: bool,
    /// The first of locals, cells, free variables and stack slots.
    pub slots: [*mut PyObject; 0],
}

/// Owner of a frame: the thread's memory.
pub const OWNED_BY_THREAD: c_char = 0;
/// Owner of a frame: a generator.
pub const OWNED_BY_GENERATOR: c_char = 1;
/// Owner of a frame: its frame object.
pub const OWNED_BY_OBJECT: c_char = 2;

/// `PyFrameObject`, without the frame that it may own.
#[repr(C)]
pub struct FrameObject {
    /// What every object has.
    pub base: PyObject,
    /// The object of the frame below, or null.
    pub back: *mut PyObject,
    /// The frame.
    pub frame: *mut Frame,
    trace: *mut PyObject,
    line: c_int,
    trace_lines: c_char,
    trace_opcodes: c_char,
    fast_as_locals: c_char,
    /// Room for a frame.
    pub own: [*mut PyObject; 0],
}

/// `PyCodeObject`.
#[repr(C)]
pub struct Code {
    base: ffi::PyVarObject,
    /// The constants.
    pub constants: *mut PyObject,
    /// The names.
    pub names: *mut PyObject,
    exception_table: *mut PyObject,
    /// `CO_*`.
    pub flags: c_int,
    warmup: i16,
    line_array_entry_size: i16,
    /// Positional parameters.
    pub argument_count: c_int,
    /// Those of them that can't be given by name.
    pub positional_only_count: c_int,
    /// Keyword-only parameters.
    pub keyword_only_count: c_int,
    /// Room for the value stack.
    pub stack_size: c_int,
    first_line: c_int,
    /// Locals, cells and free variables.
    pub local_count: c_int,
    plain_local_count: c_int,
    plain_cell_count: c_int,
    cell_count: c_int,
    /// Free variables.
    pub free_count: c_int,
    /// The names of locals, cells and free variables: parameters first.
    pub local_names: *mut PyObject,
    /// The kind of each local, bytes.
    pub local_kinds: *mut PyObject,
    filename: *mut PyObject,
    name: *mut PyObject,
    /// The name with those of what it is in.
    pub qualified_name: *mut PyObject,
    line_table: *mut PyObject,
    weak_references: *mut PyObject,
    bytes: *mut PyObject,
    line_array: *mut c_char,
    /// The first instruction that a frame is complete at.
    pub first_traceable: c_int,
    extra: *mut c_void,
    /// The instructions.
    pub bytecode: [u16; 0],
}

/// A local's kind: shared with inner functions.
pub const KIND_CELL: u8 = 0x40;

/// `PyFunctionObject`.
#[repr(C)]
pub struct FunctionObject {
    /// What every object has.
    pub base: PyObject,
    /// `__globals__`.
    pub globals: *mut PyObject,
    /// `__builtins__`.
    pub builtins: *mut PyObject,
    /// `__name__`.
    pub name: *mut PyObject,
    /// `__qualname__`.
    pub qualified_name: *mut PyObject,
    /// `__code__`.
    pub code: *mut Code,
    /// `__defaults__`, or null.
    pub defaults: *mut PyObject,
    /// `__kwdefaults__`, or null.
    pub keyword_defaults: *mut PyObject,
    /// `__closure__`, or null.
    pub closure: *mut PyObject,
    /// `__doc__`.
    pub documentation: *mut PyObject,
    /// `__dict__`, or null.
    pub dict: *mut PyObject,
    /// Weak references to the function.
    pub weak_references: *mut PyObject,
    /// `__module__`.
    pub module: *mut PyObject,
    /// `__annotations__`, or null.
    pub annotations: *mut PyObject,
    /// What a call calls.
    pub vectorcall: Option<ffi::vectorcallfunc>,
    /// For the interpreter's caches.
    pub version: u32,
}

/// `PyGenObject` up to its frame.
#[repr(C)]
pub struct Generator {
    base: PyObject,
    code: *mut Code,
    weak_references: *mut PyObject,
    name: *mut PyObject,
    qualified_name: *mut PyObject,
    /// What is handled where the generator stands.
    pub exceptions: ExceptionState,
    origin_or_finalizer: *mut PyObject,
    hooks_inited: c_char,
    closed: c_char,
    running_async: c_char,
    /// See [`SUSPENDED`].
    pub state: i8,
    /// The frame.
    pub frame: [*mut PyObject; 0],
}

/// State of a generator that has yielded.
pub const SUSPENDED: i8 = -1;
/// State of a generator that runs.
pub const EXECUTING: i8 = 0;
/// State of a generator whose frame is gone.
pub const CLEARED: i8 = 4;

const _: () = {
    use compiled::{code, dict, frame, thread, types};
    assert!(offset_of!(ffi::PyTypeObject, tp_iternext) == types::NEXT);
    assert!(offset_of!(attributes::Dict, version) == dict::VERSION);
    assert!(offset_of!(Frame, globals) == frame::GLOBALS);
    assert!(offset_of!(Frame, builtins) == frame::BUILTINS);
    assert!(offset_of!(Frame, function) == frame::FUNCTION);
    assert!(offset_of!(Frame, code) == frame::CODE);
    assert!(offset_of!(Frame, previous) == frame::PREVIOUS);
    assert!(offset_of!(Frame, instruction) == frame::INSTRUCTION);
    assert!(offset_of!(Frame, stack_top) == frame::STACK_TOP);
    assert!(offset_of!(Frame, slots) == frame::LOCALS);
    assert!(offset_of!(Code, local_count) == code::LOCALS);
    assert!(offset_of!(Code, bytecode) == code::BYTECODE);
    assert!(offset_of!(Thread, interpreter) == thread::INTERPRETER);
    assert!(offset_of!(Thread, cframe) == 56 && offset_of!(Thread, handled) == 120);
    assert!(offset_of!(Generator, frame) == 80 && size_of::<FunctionObject>() == 136);
};

impl Frame {
    /// Words of a frame: its fields, locals and stack.
    ///
    /// # Safety
    /// `code` is a live code object.
    pub unsafe fn words(code: *mut Code) -> usize {
        // SAFETY: the caller's promise.
        let slots = unsafe { (*code).local_count + (*code).stack_size };
        size_of::<Frame>() / size_of::<*mut PyObject>() + slots as usize
    }

    /// The address of a local, cell, free variable or stack slot.
    ///
    /// # Safety
    /// `this` is a live frame that has such a slot.
    pub unsafe fn slot(this: *mut Frame, index: usize) -> *mut *mut PyObject {
        // SAFETY: the caller's promise.
        unsafe { (&raw mut (*this).slots).cast::<*mut PyObject>().add(index) }
    }

    /// The generator that owns a frame.
    ///
    /// # Safety
    /// `this` is a live frame that a generator owns.
    pub unsafe fn generator(this: *mut Frame) -> *mut Generator {
        // SAFETY: such a frame is the last field of its generator.
        unsafe { this.byte_sub(offset_of!(Generator, frame)).cast() }
    }
}

impl Code {
    /// The address of the bytecode.
    ///
    /// # Safety
    /// `this` is a live code object.
    pub unsafe fn instructions(this: *mut Code) -> *mut u16 {
        // SAFETY: the caller's promise.
        unsafe { (&raw mut (*this).bytecode).cast() }
    }

    /// Whether inner functions share variables.
    pub fn has_cells(&self) -> bool {
        self.cell_count > 0
    }

    /// Whether all parameters are positional ones.
    ///
    /// # Safety
    /// `this` is a live code object.
    pub unsafe fn is_simple(this: *mut Code) -> bool {
        let starred = ffi::CO_VARARGS | ffi::CO_VARKEYWORDS;
        // SAFETY: the caller's promise.
        unsafe { (*this).keyword_only_count == 0 && (*this).flags & starred == 0 }
    }

    /// Whether an instruction is the one that makes a generator: its frame hasn't begun to run.
    ///
    /// # Safety
    /// The address is of an instruction of a live code object.
    pub unsafe fn begins_generator(instruction: *const u16) -> bool {
        const RETURN_GENERATOR: u8 = 75;
        // SAFETY: the caller's promise.
        unsafe { *instruction.cast::<u8>() == RETURN_GENERATOR }
    }

    /// Whether calls make generators or coroutines.
    ///
    /// # Safety
    /// `this` is a live code object.
    pub unsafe fn suspends(this: *mut Code) -> bool {
        let flags = ffi::CO_GENERATOR | ffi::CO_COROUTINE | ffi::CO_ASYNC_GENERATOR;
        // SAFETY: the caller's promise.
        unsafe { (*this).flags & flags != 0 }
    }
}

/// CPython's type of evaluation loops (PEP 523).
pub type Evaluate = unsafe extern "C" fn(*mut Thread, *mut Frame, c_int) -> *mut PyObject;

/// The thread that has the GIL: `PyThreadState_Get` without a call.
///
/// # Safety
/// The GIL is held by this thread.
#[inline]
pub unsafe fn current_thread() -> *mut Thread {
    const CURRENT: usize = 72;
    unsafe extern "C" {
        static mut _PyRuntime: [*mut Thread; CURRENT + 1];
    }
    // SAFETY: `check_layout` compares the place with what CPython says, and CPython changes it only
    // together with who has the GIL.
    unsafe { (&raw const _PyRuntime[CURRENT]).read() }
}

/// Where an interpreter has the function that it asks about frames: none for its own loop.
///
/// # Safety
/// The interpreter is live.
#[inline]
pub unsafe fn evaluation_function(
    interpreter: *mut ffi::PyInterpreterState,
) -> *mut Option<Evaluate> {
    const EVALUATION: usize = 1424;
    // SAFETY: the caller's promise; `check_layout` compares the place with what CPython says.
    unsafe { interpreter.byte_add(EVALUATION).cast() }
}

/// Whether an object is an interned string, of which no other is equal.
///
/// # Safety
/// The object is live.
pub unsafe fn is_interned(object: *mut PyObject) -> bool {
    const STATE: usize = 32;
    const INTERNED: u32 = 3;
    // SAFETY: the type is compared before the string's bits are read.
    unsafe {
        ffi::PyUnicode_CheckExact(object) != 0
            && *object.byte_add(STATE).cast::<u32>() & INTERNED != 0
    }
}
