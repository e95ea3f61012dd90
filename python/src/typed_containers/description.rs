//! What is known of a type of containers.

use std::collections::HashMap;
use std::sync::OnceLock;

use pyo3::prelude::*;
use pyopt_runtime::fork::Table;

use crate::dispatcher::{self, Code};
use crate::errors;
use crate::fingerprint;
use crate::specialisation::Specialisation;
use crate::types::{Elem, TypeDesc};

/// A compiled method.
#[derive(Clone, Copy)]
pub enum Method {
    Length,
    Contains,
    GetItem,
    SetItem,
    DelItem,
    Append,
    Pop,
    Add,
    Discard,
    /// Gives a list of all items or keys.
    Listed,
    /// Gives the value of a key, or None.
    Found,
}

/// The names of methods, in the order of their numbers.
const NAMES: [&str; 11] = [
    "__len__",
    "__contains__",
    "__getitem__",
    "__setitem__",
    "__delitem__",
    "append",
    "pop",
    "add",
    "discard",
    "&listed",
    "&found",
];

/// The method of Python's that gives the dispatcher of a compiled method by its name.
const DISPATCHER: &str = "_compiled_method";

/// What a container holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// A list of numbers or times.
    Numbers(Elem),
    /// A list of anything else.
    Items,
    /// Entries of a dict or set, with keys or values that are numbers or times if these have a type.
    Table {
        key: Option<Elem>,
        value: Option<Elem>,
    },
    /// None of these: it isn't one of the containers.
    Other,
}

impl Held {
    /// What structures hold whose type has these words.
    fn of(words: &[u64]) -> Self {
        let types = fingerprint::decode(words);
        let [TypeDesc::List(Some(fields))] = &types[..] else {
            return Self::Other;
        };
        let TypeDesc::Tuple(fields) = &**fields else {
            return Self::Other;
        };
        let number = |part: &TypeDesc| match part {
            TypeDesc::Scalar(elem) => Some(*elem),
            _ => None,
        };
        match &fields[..] {
            [TypeDesc::List(Some(item))] => number(item).map_or(Self::Items, Self::Numbers),
            [TypeDesc::Dict(Some(parts))] => Self::Table {
                key: number(&parts[0]),
                value: number(&parts[1]),
            },
            [TypeDesc::Set(Some(item))] => Self::Table {
                key: number(item),
                value: None,
            },
            _ => Self::Other,
        }
    }
}

/// A type of containers; it stays as long as the process.
pub struct Description {
    /// What it holds.
    pub held: Held,
    /// The words of an argument of the type.
    pub words: Box<[u64]>,
    methods: [OnceLock<CompiledMethod>; NAMES.len()],
}

/// A method's code for containers of one type.
struct CompiledMethod {
    /// That for all types of containers.
    dispatcher: Py<PyAny>,
    /// What of it was called for this one.
    code: Code,
}

/// All of them, by the numbers of the classes that stand for their containers.
static DESCRIPTIONS: Table<HashMap<u32, &'static Description>> = Table::new();

impl Description {
    /// That of structures for which objects of a class stand, by the class's number and the words of their memory.
    pub fn of(slot: u32, words: &[u64]) -> &'static Self {
        let mut known = DESCRIPTIONS.lock();
        known.entry(slot).or_insert_with(|| {
            let argument =
                std::iter::once(fingerprint::named(slot, 1)).chain(words.iter().copied());
            Box::leak(Box::new(Self {
                held: Held::of(words),
                words: argument.collect(),
                methods: [const { OnceLock::new() }; NAMES.len()],
            }))
        })
    }

    /// The code of a method of a container of this type, for arguments of which these are the words; `None` if
    /// nothing is compiled for them yet.
    #[inline]
    pub fn find<'py>(
        &'static self,
        container: &Bound<'py, PyAny>,
        method: Method,
        words: &[u64],
    ) -> Option<Borrowed<'static, 'py, Specialisation>> {
        let known = self.methods[method as usize].get();
        let found =
            known.and_then(|known| known.code.find(container.py(), words, dispatcher::HOST));
        found.or_else(|| self.find_new(container, method, words))
    }

    #[cold]
    fn find_new<'py>(
        &'static self,
        container: &Bound<'py, PyAny>,
        method: Method,
        words: &[u64],
    ) -> Option<Borrowed<'static, 'py, Specialisation>> {
        let py = container.py();
        let known = &self.methods[method as usize];
        if known.get().is_none() {
            let dispatcher = container.call_method1(DISPATCHER, (NAMES[method as usize],));
            let dispatcher = given(py, dispatcher)?;
            // It is none where nothing is compiled.
            given(py, dispatcher::find(&dispatcher, words))?;
            known.get_or_init(|| CompiledMethod {
                dispatcher: dispatcher.unbind(),
                code: Code::new(),
            });
        }
        let known = known.get()?;
        let found = given(py, dispatcher::find(known.dispatcher.bind(py), words))??;
        known.code.add(py, found);
        known.code.find(py, words, dispatcher::HOST)
    }
}

/// What a call gives. Where it fails Python's own method says why.
fn given<T>(py: Python<'_>, result: PyResult<T>) -> Option<T> {
    result.map_err(|error| errors::forget(py, error)).ok()
}
