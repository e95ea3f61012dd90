//! Rewrites that are written in Python, in the compiler's registry.

mod view;

pub use view::{Block, Operation, Value};

use std::collections::HashSet;
use std::sync::Arc;

use melior::ir::BlockRef;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyopt_passes::infra::{PassFailure, PassResult};
use pyopt_passes::rewrite::{self, Point, Rewrite, RewriteContext};

/// Adds a rewrite to the registry, or replaces the one of its name.
///
/// `attempt` is called with a block, with the GIL held, and says whether it has changed it. It is only
/// called for functions that have one of the operations `roots`, or any function where there are none.
#[pyfunction]
pub fn register_rewrite(
    name: String,
    point: &str,
    roots: Vec<String>,
    attempt: Py<PyAny>,
) -> PyResult<()> {
    let point = Point::from_name(point).ok_or_else(|| {
        let message = format!(
            "there is no point '{point}' for rewrites; there are 'before-inference' and 'after-inference'"
        );
        PyValueError::new_err(message)
    })?;
    pyopt_passes::register_passes();
    rewrite::register_rewrite(Arc::new(PythonRewrite {
        name,
        point,
        roots,
        attempt,
    }))
    .map_err(PyValueError::new_err)
}

/// A rewrite whose work is done by a Python callable.
struct PythonRewrite {
    name: String,
    point: Point,
    roots: Vec<String>,
    attempt: Py<PyAny>,
}

impl Rewrite for PythonRewrite {
    fn name(&self) -> &str {
        &self.name
    }

    fn point(&self) -> Point {
        self.point
    }

    fn may_match(&self, operations: &HashSet<&str>) -> bool {
        self.roots.is_empty()
            || self
                .roots
                .iter()
                .any(|root| operations.contains(root.as_str()))
    }

    fn rewrite<'c, 'a>(
        &self,
        cx: &RewriteContext<'_, 'c, 'a>,
        block: BlockRef<'c, 'a>,
    ) -> PassResult<bool> {
        // Compilation runs without the GIL.
        Python::attach(|py| {
            let view = view::Lease::new(cx.cx.context(), block);
            let changed = self
                .attempt
                .call1(py, (view.block(),))
                .and_then(|changed| changed.is_truthy(py));
            // The views end here, whatever Python keeps of them.
            drop(view);
            changed.map_err(|error| {
                PassFailure::Message(format!("rewrite '{}' raised {error}", self.name))
            })
        })
    }
}
