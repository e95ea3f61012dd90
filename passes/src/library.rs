//! The overload library: functions of NumPy's and Python's that are Python source themselves.
//!
//! The build script compiles `python/pyopt/library` to code objects, one for each function. One that
//! a program calls is read and lifted then, and is a function of the program like any other.

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
use std::{collections::HashMap, sync::LazyLock};

/// The prefix of the symbols of functions, and of what their global names are bound to.
const GLOBALS: &str = "pyopt.library";

/// The modules that functions of the library name.
const MODULES: &[(&str, &str)] = &[
    ("pyopt.library.np", "numpy"),
    ("pyopt.library.math", "math"),
    ("pyopt.library.cmath", "cmath"),
    ("pyopt.library.intrinsics", "pyopt.library.intrinsics"),
];

/// A function of the library.
#[derive(Debug)]
pub(crate) struct Source {
    /// Its name in the library.
    name: &'static str,
    /// The symbol of the `py.func` it becomes.
    pub symbol: &'static str,
    /// The functions and methods that it is, by qualified name.
    implements: &'static [&'static str],
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
    code: &'static [u8],
}

/// The CPython whose bytecode the code objects are: the one that the build was given.
const COMPILED_BY: Version = include!(concat!(env!("OUT_DIR"), "/library/version.rs"));

/// What is wrong with code that isn't as the build script writes it.
const MALFORMED: &str = "its code is malformed";

/// What CPython says of errors: the one that the build was given.
pub(crate) mod errors {
    include!(concat!(env!("OUT_DIR"), "/library/errors.rs"));
}

static SOURCES: &[Source] = include!(concat!(env!("OUT_DIR"), "/library/library.rs"));

/// The functions by symbol and by the names of what they implement.
static BY_NAME: LazyLock<HashMap<&str, &Source>> = LazyLock::new(|| {
    let names = |source: &'static Source| {
        let implemented = source.implements.iter().map(move |name| (*name, source));
        implemented.chain([(source.symbol, source)])
    };
    SOURCES.iter().flat_map(names).collect()
});

/// Makes the table of names, which is made on first use else.
pub(crate) fn load() {
    LazyLock::force(&BY_NAME);
}

/// The function of a symbol, or the one that implements a name.
pub(crate) fn find(name: &str) -> Option<&'static Source> {
    BY_NAME.get(name).copied()
}

/// The names of the functions that it has.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    let implemented = SOURCES.iter().flat_map(|source| source.implements);
    implemented
        .copied()
        .filter(|name| !name.starts_with("array."))
}

/// The method of arrays with a name.
pub(crate) fn method(name: &str) -> Option<&'static Source> {
    find(&format!("array.{name}"))
}

/// The module that a global name of the library means.
pub(crate) fn module(symbol: &str) -> Option<PyAttribute<'static>> {
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

    /// Its name in the library.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What it implements, or else its own name.
    pub fn public_name(&self) -> &'static str {
        self.implements.first().unwrap_or(&self.name)
    }

    /// Lifts it to a `py.func`; the error says what of it can't be lifted.
    pub fn lift<'c>(&self, context: &'c Context) -> Result<Operation<'c>, String> {
        let value = marshal::load(self.code, COMPILED_BY).map_err(|error| error.to_string())?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_can_be_lifted() {
        let context = crate::create_context();
        for name in pyopt_dialects::NAMES {
            context.get_or_load_dialect(name);
        }
        for source in SOURCES {
            if let Err(reason) = source.lift(&context) {
                panic!("{}: {reason}", source.name);
            }
        }
    }
}
