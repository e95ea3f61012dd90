//! Overloads that Python code has registered through `pyopt.extending`, for type inference.

use std::collections::HashSet;
use std::sync::{PoisonError, RwLock};

use melior::Context;
use melior::ir::BlockRef;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyopt_passes::overloads::{Argument, Resolver, set_resolver};

use crate::{compiler, request};

/// The names of the functions and methods that have overloads.
static NAMES: RwLock<Option<HashSet<String>>> = RwLock::new(None);

/// Whether any function or method has overloads.
pub fn exist() -> bool {
    let names = NAMES.read().unwrap_or_else(PoisonError::into_inner);
    names.is_some()
}

/// Takes note that a function or method has overloads.
#[pyfunction]
pub fn register_overload(name: String) {
    let mut names = NAMES.write().unwrap_or_else(PoisonError::into_inner);
    names.get_or_insert_default().insert(name);
    set_resolver(Box::new(Extending));
}

/// What `pyopt.extending` gives for a call: the symbol of the body, functions, attributes of modules.
type Body<'py> = (String, Vec<Bound<'py, PyTuple>>, Bound<'py, PyDict>);

/// Asks `pyopt.extending`, with the GIL.
struct Extending;

impl Resolver for Extending {
    fn knows(&self, name: &str) -> bool {
        let names = NAMES.read().unwrap_or_else(PoisonError::into_inner);
        names.as_ref().is_some_and(|names| names.contains(name))
    }

    fn resolve<'c>(
        &self,
        context: &'c Context,
        module: BlockRef<'c, '_>,
        name: &str,
        arguments: &[Argument],
    ) -> Result<Option<String>, String> {
        let found: PyResult<Option<(String, compiler::Request)>> = Python::attach(|py| {
            let arguments: Vec<_> = arguments
                .iter()
                .map(|argument| (argument.keyword.as_deref(), argument.r#type.as_str()))
                .collect();
            let extending = py.import("pyopt.extending")?;
            let body: Option<Body> = extending
                .getattr("resolve")?
                .call1((name, arguments))?
                .extract()?;
            body.map(|(symbol, functions, attributes)| {
                Ok((symbol, request::functions(&functions, &attributes)?))
            })
            .transpose()
        });
        let Some((symbol, request)) = found.map_err(|error| error.to_string())? else {
            return Ok(None);
        };
        compiler::extend(context, &module, &request).map_err(|error| error.diagnostic.message)?;
        Ok(Some(symbol))
    }
}
