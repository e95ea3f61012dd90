//! The overload library: functions of NumPy's and Python's that are Python source themselves.
//!
//! `pyopt-library-bytecode` compiles `python/pyopt/library` to code objects, one for each function. One that
//! a program calls is read and lifted then, and is a function of the program like any other.
//!
//! Code objects are of one CPython, compiler passes of none: whoever links a program [installs](install) the
//! library of the interpreter that it is for, so that all else is built once for all of them.

use melior::{
    Context,
    ir::{
        Identifier, Operation,
        attribute::{ArrayAttribute, DictionaryAttribute},
    },
};
use pyopt_dialects::{enums::LibraryRole, py::PyAttribute};
use pyopt_frontend::{
    attributes::to_attribute,
    code_op::{FunctionAttributes, PyCode},
    lift, marshal,
    value::Value,
    version::Version,
};
use std::{
    collections::HashMap,
    sync::{LazyLock, OnceLock},
};

/// The prefix of the symbols of functions, and of what their global names are bound to.
const GLOBALS: &str = "pyopt.library";

/// The modules that functions of the library name.
const MODULES: &[(&str, &str)] = &[
    ("pyopt.library.np", "numpy"),
    ("pyopt.library.math", "math"),
    ("pyopt.library.cmath", "cmath"),
    ("pyopt.library.intrinsics", "pyopt.library.intrinsics"),
];

/// A library, as the build script writes it.
#[derive(Debug)]
pub struct Library {
    /// The CPython whose bytecode the code objects are.
    pub compiled_by: Version,
    /// The functions.
    pub sources: &'static [Source],
    /// What this CPython says of errors.
    pub errors: Errors,
    /// The names of the attributes that instances of Python's own classes have, by class.
    pub class_names: &'static [(&'static str, &'static [&'static str])],
}

/// A function of the library.
#[derive(Debug)]
pub struct Source {
    /// Its name in the library.
    pub name: &'static str,
    /// The symbol of the `py.func` it becomes.
    pub symbol: &'static str,
    /// The functions and methods that it is, by qualified name.
    pub implements: &'static [&'static str],
    /// The positions of the parameters whose arguments must be constants.
    pub literals: &'static [usize],
    /// The positions of the parameters that it is compiled for the values of where arguments are constants.
    pub known: &'static [usize],
    /// The positions of the parameters whose arguments are lists that it changes, if it sees others as tuples.
    pub changed: &'static [usize],
    /// What passes know of its result.
    pub role: Option<LibraryRole>,
    /// Whether it is compiled once for the types of its arguments although these are containers.
    pub linked: bool,
    /// The marshalled code object, defaults, and names and defaults of keyword-only parameters.
    pub code: &'static [u8],
}

/// What a CPython says of errors that compiled code raises in its place. Named after what raises them.
#[derive(Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Errors {
    pub int_true_division: &'static str,
    pub int_floor_division: &'static str,
    pub int_modulo: &'static str,
    pub float_true_division: &'static str,
    pub float_floor_division: &'static str,
    pub float_modulo: &'static str,
    pub complex_division: &'static str,
    pub int_divmod: &'static str,
    pub float_divmod: &'static str,
    /// Of zero to a negative power.
    pub zero_power: &'static str,
    /// Of a local variable `x` that has no value.
    pub unbound_local_x: &'static str,
}

/// What is wrong with code that isn't as the build script writes it.
const MALFORMED: &str = "its code is malformed";

static INSTALLED: OnceLock<&'static Library> = OnceLock::new();

/// The functions by symbol and by the names of what they implement.
static BY_NAME: LazyLock<HashMap<&str, &Source>> = LazyLock::new(|| {
    let names = |source: &'static Source| {
        let implemented = source.implements.iter().map(move |name| (*name, source));
        implemented.chain([(source.symbol, source)])
    };
    installed().sources.iter().flat_map(names).collect()
});

/// Has the process compile with a library from now on. The first one that is installed stays.
pub fn install(library: &'static Library) {
    INSTALLED.get_or_init(|| library);
}

/// The library of this process.
///
/// # Panics
///
/// Where none was installed, which is a mistake of the program: its `main`, or its module's initialisation,
/// has to.
pub fn installed() -> &'static Library {
    INSTALLED
        .get()
        .expect("no overload library was installed: `pyopt_library::install` comes first")
}

/// What CPython says of errors.
pub fn errors() -> &'static Errors {
    &installed().errors
}

/// Makes the table of names of the library that is installed, which is made on first use else.
pub fn load() {
    if INSTALLED.get().is_some() {
        LazyLock::force(&BY_NAME);
    }
}

/// The function of a symbol, or the one that implements a name.
pub fn find(name: &str) -> Option<&'static Source> {
    BY_NAME.get(name).copied()
}

/// The names of the functions that it has.
pub fn names() -> impl Iterator<Item = &'static str> {
    let implemented = installed()
        .sources
        .iter()
        .flat_map(|source| source.implements);
    implemented
        .copied()
        .filter(|name| !name.starts_with("array."))
}

/// The method of arrays with a name.
pub fn method(name: &str) -> Option<&'static Source> {
    find(&format!("array.{name}"))
}

/// The module that a global name of the library means.
pub fn module(symbol: &str) -> Option<PyAttribute<'static>> {
    let (_, module) = MODULES.iter().find(|(name, _)| *name == symbol)?;
    Some(PyAttribute::Module(module))
}

impl Source {
    /// Whether a list that nobody changes is no object to it, but what the list holds: to NumPy's functions
    /// and the methods of arrays and texts.
    pub fn sees_tuples(&self) -> bool {
        const HOMES: [&str; 6] = ["numpy.", "array.", "ufunc.", "flat.", "str.", "bytes."];
        let is_of = |name: &&str| HOMES.iter().any(|home| name.starts_with(home));
        self.implements.iter().any(is_of)
    }

    /// What it implements, or else its own name.
    pub fn public_name(&self) -> &'static str {
        self.implements.first().unwrap_or(&self.name)
    }

    /// Lifts it to a `py.func`; the error says what of it can't be lifted.
    pub fn lift<'c>(&self, context: &'c Context) -> Result<Operation<'c>, String> {
        let value =
            marshal::load(self.code, installed().compiled_by).map_err(|error| error.to_string())?;
        let Value::Tuple(parts) = value else {
            return Err(MALFORMED.into());
        };
        let [
            Value::Code(code),
            Value::Tuple(defaults),
            Value::Tuple(named),
        ] = &*parts
        else {
            return Err(MALFORMED.into());
        };
        let constant = |value| to_attribute(context, value).ok_or("a default is no constant");
        let defaults: Vec<_> = defaults.iter().map(constant).collect::<Result<_, _>>()?;
        let named = named.iter().map(|pair| {
            let Value::Tuple(pair) = pair else {
                return Err(MALFORMED);
            };
            let [Value::Str(name), value] = &**pair else {
                return Err(MALFORMED);
            };
            Ok((Identifier::new(context, name), constant(value)?))
        });
        let named: Vec<_> = named.collect::<Result<_, _>>()?;
        let function = PyCode {
            symbol: self.symbol.into(),
            globals: GLOBALS.into(),
            code: (**code).clone(),
            attributes: FunctionAttributes {
                defaults: (!defaults.is_empty()).then(|| ArrayAttribute::new(context, &defaults)),
                keyword_defaults: (!named.is_empty())
                    .then(|| DictionaryAttribute::new(context, &named)),
                options: None,
            },
        };
        lift::lift_code(context, &function, lift::Form::Values).map_err(|error| error.to_string())
    }
}
