//! The border to the compiler: what a dispatcher asks for and what it gets back.
//!
//! Everything a compilation depends on is in a [`Request`] by value, so it needs no interpreter, runs
//! without the GIL and can be repeated to look at a stage.

mod driver;
mod engine;
mod module;
#[cfg(own_frames)]
mod object_mode;
mod spare;

pub use driver::{
    LibraryFunction, compile_library, diagnose, explain, filled_arguments, generate, inspect,
    literal_parameters, load, stencil_neighborhoods,
};
pub use module::{append_function, extend};
#[cfg(own_frames)]
pub use object_mode::{ObjectEntry, ObjectFunction, compile_object, inspect_object};

use std::fmt::Display;
use std::sync::Arc;

use pyopt_frontend::code::CodeObject;
use pyopt_passes::compile::{Object, Site};
use pyopt_passes::infra::Diagnostic;
use pyopt_runtime::device::registry::OpenDevice;
use pyopt_runtime::engine::{CompiledModule, Tier, TieredCode, has_gdb};
use pyopt_runtime::error::PyoptError;
use serde::Serialize;

use crate::types::{Class, TypeDesc};

/// Code of a specialisation: `status = entry(ret, err, args)`.
pub type Entry = unsafe extern "C" fn(*mut i64, *mut PyoptError, *const i64) -> i32;

/// What a global, builtin or closure name stands for when a function is compiled.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Binding {
    /// A module, by its full name.
    Module(String),
    /// A host object that the compiler knows by its qualified name, such as `numpy.sqrt`.
    Named(String),
    /// Another function of the request, by its symbol.
    Function(String),
    /// `None`.
    None,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer that only fits without a sign.
    UInt(u64),
    /// A floating point number.
    Float(f64),
    /// A complex number.
    Complex(f64, f64),
    /// Text.
    Str(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A tuple of the above.
    Tuple(Vec<Binding>),
    /// A frozenset of the above.
    FrozenSet(Vec<Binding>),
    /// A slice: its start, stop and step.
    Slice(Vec<Binding>),
    /// `...`.
    Ellipsis,
    /// A class of named tuples.
    NamedTuple(Class),
    /// A named tuple.
    TupleOf {
        /// Its class.
        class: Class,
        /// Its items.
        items: Vec<Binding>,
    },
    /// A value as one of a type that an extension has declared for it.
    Declared {
        /// The value.
        value: Box<Binding>,
        /// The type.
        ty: TypeDesc,
    },
    /// An exception class that is no builtin one: its name and those of its bases.
    ExceptionClass(Vec<String>),
    /// An exception.
    Exception {
        /// Its class.
        class: Box<Binding>,
        /// Its arguments.
        arguments: Vec<Binding>,
    },
    /// A NumPy scalar: a number that knows its type.
    Scalar {
        /// The type.
        ty: TypeDesc,
        /// The number as Python has it.
        value: Box<Binding>,
    },
    /// A NumPy array, frozen: its type and its elements' bytes in C order.
    Frozen {
        /// An array in C order.
        ty: TypeDesc,
        /// Extents.
        shape: Vec<i64>,
        /// The elements.
        data: Vec<u8>,
    },
    /// A type, as in `types.float64`.
    Type(TypeDesc),
    /// A C function.
    CFunction {
        /// Its symbol, which the runtime finds; or its name, of one that is known by its address alone.
        name: String,
        /// Its type.
        ty: TypeDesc,
        /// Where it is; 0 if it has a symbol.
        address: usize,
    },
    /// Anything else: using it is an error that names this type.
    Opaque(String),
}

/// How a stencil's border is filled; the compiler knows the names.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StencilOptions {
    /// Border mode, such as `constant`.
    pub mode: String,
    /// The lowest and highest offset of each dimension, if given.
    pub neighborhood: Option<Vec<(i64, i64)>>,
    /// Value of the border, if given.
    pub cval: Option<Binding>,
    /// Names of the parameters that are indexed absolutely.
    pub standard_indexing: Vec<String>,
}

/// A Python function as the compiler sees it.
#[derive(Clone, Debug, Serialize)]
pub struct Function {
    /// Unique in the request.
    pub symbol: String,
    /// The code object.
    pub code: Arc<CodeObject>,
    /// What the names it loads stand for, sorted by name.
    pub bindings: Vec<(String, Binding)>,
    /// Names of the parameters that have defaults, and these.
    pub defaults: Vec<(String, Binding)>,
    /// Set if the function is a stencil's kernel.
    pub stencil: Option<StencilOptions>,
    /// How to compile it; a plain Python function has none and follows its caller.
    pub options: Option<Options>,
}

/// What division by zero does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum ErrorModel {
    /// Raises `ZeroDivisionError`.
    #[default]
    Python,
    /// Follows IEEE 754.
    Numpy,
}

/// The decorator's options, checked by it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Options {
    /// Whether to parallelise.
    pub parallel: bool,
    /// Parallel transformations that are switched off, by name.
    pub parallel_off: Vec<String>,
    /// Whether the function is a generator that `with` takes: `contextlib.contextmanager`.
    pub context_manager: bool,
    /// LLVM's fast-math flags, by name; nothing where the decorator doesn't say.
    pub fastmath: Option<Vec<String>>,
    /// What division by zero does; nothing where the decorator doesn't say.
    pub error_model: Option<ErrorModel>,
    /// Whether indexing is checked.
    pub boundscheck: bool,
    /// Whether debuggers are told of functions, lines and variables.
    pub debug: bool,
    /// Whether LLVM leaves the code as it is.
    pub unoptimized: bool,
    /// Whether the function runs without the GIL.
    pub nogil: bool,
    /// Whether calls of the function are replaced by its body before inference.
    pub inline: bool,
    /// The declared signatures: calls are converted to one of them.
    pub prototypes: Vec<Prototype>,
    /// Whether calls with other types than the declared ones are compiled for these, not converted.
    pub compiles: bool,
}

/// A declared signature: the types of the parameters, and of the result unless it is to be inferred.
pub type Prototype = (Vec<TypeDesc>, Option<TypeDesc>);

impl Options {
    /// Whether debuggers are told of variables, besides functions and lines: each is a place in
    /// memory, so profiles are taken without.
    pub fn describes_variables(&self) -> bool {
        self.debug || has_gdb()
    }
}

/// A compilation: functions, the one to compile, and for which types.
#[derive(Clone, Debug, Serialize)]
pub struct Request {
    /// The function to compile first, then all that can be reached from it.
    pub functions: Vec<Function>,
    /// Types of the first function's parameters.
    pub arguments: Vec<TypeDesc>,
    /// What attributes of modules stand for, by their qualified name such as `numpy.pi`, as far as the
    /// functions use them.
    pub attributes: Vec<(String, Binding)>,
    /// The return type, if a signature demands one.
    pub returns: Option<TypeDesc>,
    /// Whether C code is to call the function.
    pub c_entry: bool,
    /// The device that parallel loops are to run on, if it isn't the CPU: all of them, unless the functions
    /// enter contexts of devices.
    pub device: Option<DeviceTarget>,
    /// Whether the functions enter contexts of devices.
    pub enters_devices: bool,
}

/// What code for a device depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeviceTarget {
    /// The driver: the first part of the device's name.
    pub driver: String,
    /// The architecture as LLVM names it, where the driver wants to know.
    pub chip: String,
    /// Whether the device has double precision.
    pub has_f64: bool,
    /// The most threads of a block.
    pub max_block: u32,
    /// Bytes of memory that the threads of a block share.
    pub local_memory: u64,
}

impl DeviceTarget {
    /// What code for a device depends on.
    pub fn of(device: &OpenDevice) -> Self {
        let info = device.device.info();
        Self {
            driver: info.name.split(':').next().unwrap_or_default().to_owned(),
            chip: info.chip.clone(),
            has_f64: info.has_f64,
            max_block: info.max_block,
            local_memory: info.local_memory,
        }
    }
}

impl DeviceTarget {
    /// What is code for this and for another device of the driver.
    pub fn and(self, other: Self) -> Self {
        // The older one of two architectures, which have numbers behind their names.
        let (one, two) = ((self.chip.len(), self.chip), (other.chip.len(), other.chip));
        Self {
            driver: self.driver,
            chip: one.min(two).1,
            has_f64: self.has_f64 && other.has_f64,
            max_block: self.max_block.min(other.max_block),
            local_memory: self.local_memory.min(other.local_memory),
        }
    }
}

impl Request {
    /// Options of the function to compile.
    pub fn options(&self) -> Options {
        self.functions
            .first()
            .and_then(|function| function.options.clone())
            .unwrap_or_default()
    }
}

/// What a compilation makes, before it is loaded: nothing in it is of this process.
pub struct Generated {
    /// The code: its entries are of type [`Entry`].
    pub module: CompiledModule,
    /// The symbols that the code defines or refers to.
    pub symbols: Vec<String>,
    /// As in [`Compiled`].
    pub returns: TypeDesc,
    /// As in [`Compiled`].
    pub resume: Option<String>,
    /// As in [`Compiled`].
    pub sites: Vec<Site>,
    /// As in [`Compiled`].
    pub objects: Vec<Object>,
    /// As in [`Compiled`].
    pub parallel: bool,
    /// As in [`Compiled`].
    pub warnings: Vec<Diagnostic>,
}

/// A finished compilation.
pub struct Compiled {
    /// The code: its entries are of type [`Entry`].
    pub code: Arc<TieredCode>,
    /// Type of the returned value; of a generator's items.
    pub returns: TypeDesc,
    /// For code that returns a generator the symbol of what resumes it, of type [`Entry`].
    pub resume: Option<String>,
    /// Every status the entry can return.
    pub sites: Vec<Site>,
    /// Python code that the entry calls.
    pub objects: Vec<Object>,
    /// Whether the code has parallel regions.
    pub parallel: bool,
    /// What the user should know about the function.
    pub warnings: Vec<Diagnostic>,
}

/// What kind of problem stopped a compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Types don't fit.
    Typing,
    /// A value that is to be known when the function is compiled.
    Literal,
    /// A Python feature that can't be compiled.
    Unsupported,
    /// An option or pipeline that doesn't exist.
    Option,
    /// A stencil's options contradict its kernel or arguments.
    Stencil,
    /// The compiler failed on a program it accepted.
    Lowering,
}

/// Why a compilation stopped.
#[derive(Clone, Debug)]
pub struct CompileError {
    /// The kind of problem.
    pub kind: ErrorKind,
    /// What is wrong, where, and what to do.
    pub diagnostic: Diagnostic,
}

/// What can be looked at after the fact.
#[derive(Clone, Debug, PartialEq)]
pub enum View {
    /// The module after the named pass.
    Ir(String),
    /// LLVM IR, optimised for a tier.
    Llvm(Tier),
    /// Assembly of this machine, for a tier.
    Asm(Tier),
    /// The text of the kernels for NVIDIA's devices, of an architecture or of the oldest one that is supported.
    Ptx(Option<String>),
}

impl CompileError {
    /// An error that was reported.
    pub fn new(kind: ErrorKind, diagnostic: impl Into<Diagnostic>) -> Box<Self> {
        Box::new(CompileError {
            kind,
            diagnostic: diagnostic.into(),
        })
    }

    /// An error without a place.
    pub fn plain(kind: ErrorKind, message: impl Display) -> Box<Self> {
        Self::new(kind, Diagnostic::error(message))
    }
}
