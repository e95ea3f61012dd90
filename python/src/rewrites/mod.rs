//! Rewrites and passes that are written in Python, in the compiler's registry.

mod block;
mod operation;
mod scope;
mod value;

pub use block::{Block, Region};
pub use operation::Operation;
pub use value::Value;

use std::collections::HashSet;
use std::sync::Arc;

use melior::ir::{BlockRef, OperationRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyopt_passes::infra::{
    BlockExt, DynamicPass, OperationExt, PassContext, PassFailure, PassResult,
    register_dynamic_pass, verify,
};
use pyopt_passes::rewrite::{self, Point, Rewrite, RewriteContext};

use self::scope::Lease;
use crate::detached::asking;

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
        let Some(function) = enclosing_function(block) else {
            return Ok(false);
        };
        let lease = Lease::new(cx.cx.context(), function);
        let view = lease.block(block);
        // Compilation runs without the GIL.
        let result = asking(|py| {
            let answer = self.attempt.call1(py, (view,));
            answer.and_then(|changed| changed.is_truthy(py))
        });
        // The views end here, whatever Python keeps of them.
        let has_changed = lease.end();
        let who = format!("rewrite '{}'", self.name);
        let claims =
            result.map_err(|error| PassFailure::Message(format!("{who} raised {error}")))?;
        if has_changed {
            verify(cx.cx, function, &who)?;
        }
        Ok(claims)
    }
}

/// The outermost operation around a block but for the module.
fn enclosing_function<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let mut function = block.parent()?;
    while let Some(parent) = function.parent() {
        if parent.parent().is_none() {
            break;
        }
        function = parent;
    }
    Some(function)
}

/// Adds a pass, or replaces the one of its name, that calls `run` with each operation named `anchor`, with
/// the GIL held.
#[pyfunction]
pub fn register_pass(
    name: String,
    anchor: String,
    summary: String,
    run: Py<PyAny>,
) -> PyResult<()> {
    pyopt_passes::register_passes();
    register_dynamic_pass(Arc::new(PythonPass {
        name,
        anchor,
        summary,
        run,
    }))
    .map_err(PyValueError::new_err)
}

/// A pass whose work is done by a Python callable.
struct PythonPass {
    name: String,
    anchor: String,
    summary: String,
    run: Py<PyAny>,
}

impl DynamicPass for PythonPass {
    fn name(&self) -> &str {
        &self.name
    }

    fn summary(&self) -> &str {
        &self.summary
    }

    fn anchor(&self) -> &str {
        &self.anchor
    }

    fn version(&self) -> Option<&str> {
        None
    }

    fn run<'c>(&self, cx: &PassContext<'c>, operation: OperationRef<'c, '_>) -> PassResult {
        // Pipelines are warmed up on an empty module, which must not wait for the GIL.
        let is_empty = |block: BlockRef| block.first().is_none();
        if operation.nested_blocks().into_iter().all(is_empty) {
            return Ok(());
        }
        let lease = Lease::new(cx.context(), operation);
        let view = lease.root();
        let result = asking(|py| self.run.call1(py, (view,)).map(drop));
        drop(lease);
        result.map_err(|error| PassFailure::Message(format!("'{}' raised {error}", self.name)))
    }
}
