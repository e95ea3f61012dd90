//! The types of a call's arguments as an object of Python's, which asks for code with it.
//!
//! What a call has found out stays what it is on its way through Python: the object is the key of
//! specialisations, and nothing is written as text to be read again. Its `texts` are for those who look at
//! a compiled function's signatures.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{LITERAL_KINDS, TypeDesc};
use crate::functions;

/// The types of the arguments that code is compiled for. Two are equal if each type is.
#[pyclass(frozen, eq, hash, module = "pyopt._core")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArgumentTypes(Box<[TypeDesc]>);

impl ArgumentTypes {
    /// The types, in the order of the parameters.
    pub fn all(&self) -> &[TypeDesc] {
        &self.0
    }
}

impl From<Vec<TypeDesc>> for ArgumentTypes {
    fn from(types: Vec<TypeDesc>) -> Self {
        Self(types.into())
    }
}

/// Types as programs write them, for messages.
pub fn shown(py: Python<'_>, types: &[TypeDesc]) -> String {
    let texts = types.iter().map(ToString::to_string);
    let texts: Vec<String> = texts.collect();
    let names = texts.iter().map(|text| {
        let read = py.import("pyopt.types")?.getattr("from_text")?;
        Ok(read.call1((text,))?.str()?.to_string())
    });
    let names: PyResult<Vec<String>> = names.collect();
    names.unwrap_or(texts).join(", ")
}

#[pymethods]
impl ArgumentTypes {
    /// Reads types from the compiler's text form, as declared signatures have them.
    #[new]
    fn new(texts: Vec<String>) -> PyResult<Self> {
        let types = texts.iter().map(|text| TypeDesc::parse(text));
        let types = types.collect::<Result<_, _>>();
        types.map(Self).map_err(PyValueError::new_err)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("ArgumentTypes({})", self.texts().join(", "))
    }

    /// The types in the compiler's text form.
    #[getter]
    fn texts(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }

    /// The symbols of the Python functions among the arguments, and in their parts: they are compiled along.
    #[getter]
    fn functions(&self) -> Vec<String> {
        let mut found = Vec::new();
        for ty in &self.0 {
            ty.walk(&mut |part| {
                if let TypeDesc::Function(slot) = part {
                    found.extend(functions::symbol(*slot));
                }
            });
        }
        found
    }

    /// Whether lists, dicts or sets among the arguments, or in them, have no items.
    #[getter]
    fn has_empty(&self) -> bool {
        self.0.iter().any(TypeDesc::has_empty)
    }

    /// The positions of arguments that could be known by their values.
    #[getter]
    fn literal_candidates(&self) -> Vec<usize> {
        let is_candidate = |ty| LITERAL_KINDS.into_iter().any(|kind| kind.plain() == ty);
        let positions = self.0.iter().enumerate();
        positions
            .filter_map(|(position, ty)| is_candidate(ty).then_some(position))
            .collect()
    }
}
