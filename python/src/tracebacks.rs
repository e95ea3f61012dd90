//! Tracebacks as programs see them: without frames of this package, as those of a package written in C.
//!
//! A Python function can't keep its own frame out of the traceback of what it raises. So the package's
//! functions that programs call stand behind an [`EntryPoint`], which takes their frames out when an
//! exception leaves. With `PYOPT_FULL_TRACEBACKS` set, all frames stay.

use std::borrow::Cow;
use std::path::Path;

use pyo3::exceptions::PyAttributeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};

use crate::methods;

/// What the files of the library's functions are named by.
const LIBRARY: &str = "pyopt/library/";

/// Puts the class of entry points into the extension's module.
pub fn load(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_class::<EntryPoint>()?;
    // Every class has documentation of its own, which would stand before that of the function.
    let doc = py.import("operator")?.getattr("attrgetter")?;
    let doc = doc.call1(("__wrapped__.__doc__",))?;
    let doc = py.import("builtins")?.getattr("property")?.call1((doc,))?;
    module.getattr("entry_point")?.setattr("__doc__", doc)
}

/// Takes the frames of this package out of an exception's traceback.
pub fn hide_own_frames(py: Python<'_>, error: &PyErr) {
    // An exception whose frames can't be read keeps them.
    let _ = try_to_hide(py, error);
}

/// Whether a frame of this file is hidden.
pub fn is_hidden(py: Python<'_>, file: &str) -> bool {
    is_own(py, file) && !shows_own_frames(py)
}

/// Whether frames of this package are shown: for who works on it.
fn shows_own_frames(py: Python<'_>) -> bool {
    let asked = py
        .import("pyopt.config")
        .and_then(|config| config.getattr("FULL_TRACEBACKS")?.is_truthy());
    asked.unwrap_or(false)
}

/// Whether a file is one of this package's.
fn is_own(py: Python<'_>, file: &str) -> bool {
    file.starts_with(LIBRARY)
        || folder(py).is_some_and(|folder| Path::new(file).starts_with(folder))
}

/// Where a file is: the library's are named as in the package, wherever that is installed.
pub fn installed<'f>(py: Python<'_>, file: &'f str) -> Cow<'f, str> {
    match (file.strip_prefix(LIBRARY), folder(py)) {
        (Some(name), Some(folder)) => Cow::Owned(format!("{folder}/library/{name}")),
        _ => Cow::Borrowed(file),
    }
}

/// Where the package is installed.
fn folder(py: Python<'_>) -> Option<&str> {
    static FOLDER: PyOnceLock<Option<String>> = PyOnceLock::new();
    let find = || -> PyResult<String> {
        let path = py.import("pyopt")?.getattr("__path__")?;
        path.get_item(0)?.extract()
    };
    FOLDER.get_or_init(py, || find().ok()).as_deref()
}

fn try_to_hide(py: Python<'_>, error: &PyErr) -> PyResult<()> {
    if shows_own_frames(py) {
        return Ok(());
    }
    let mut kept = Vec::new();
    let mut next = error.traceback(py).map(Bound::into_any);
    while let Some(entry) = next {
        let code = entry.getattr("tb_frame")?.getattr("f_code")?;
        let file: String = code.getattr("co_filename")?.extract()?;
        let following = entry.getattr("tb_next")?;
        if !is_own(py, &file) {
            kept.push(entry);
        }
        next = (!following.is_none()).then_some(following);
    }
    // From the last one on, so that no entry ever leads to one before it.
    let mut rest = py.None().into_bound(py);
    for entry in kept.into_iter().rev() {
        if !entry.getattr("tb_next")?.is(&rest) {
            entry.setattr("tb_next", &rest)?;
        }
        rest = entry;
    }
    error.set_traceback(py, rest.cast_into().ok());
    Ok(())
}

// A function of the package as programs call it: what it raises has no frame of the package. In a class it is
// a method, as the function would be. Its attributes are the function's.
#[pyclass(module = "pyopt", name = "entry_point", frozen, weakref)]
pub struct EntryPoint {
    function: Py<PyAny>,
}

#[pymethods]
impl EntryPoint {
    #[new]
    fn new(function: Py<PyAny>) -> Self {
        Self { function }
    }

    #[pyo3(signature = (*args, **kwargs))]
    fn __call__(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        let result = self.function.call(py, args, kwargs);
        result.inspect_err(|error| hide_own_frames(py, error))
    }

    fn __get__<'py>(
        slf: &Bound<'py, Self>,
        instance: &Bound<'py, PyAny>,
        _class: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if instance.is_none() {
            return Ok(slf.clone().into_any());
        }
        methods::bind(slf, instance)
    }

    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        self.function.getattr(py, name)
    }

    /// Programs may say what documentation shows.
    fn __setattr__(&self, py: Python<'_>, name: &str, value: Py<PyAny>) -> PyResult<()> {
        self.function.setattr(py, name, value)
    }

    fn __delattr__(&self, name: &str) -> PyResult<()> {
        Err(PyAttributeError::new_err(format!(
            "can't delete the attribute '{name}' of a function of pyopt"
        )))
    }

    #[getter(__wrapped__)]
    fn wrapped(&self, py: Python<'_>) -> Py<PyAny> {
        self.function.clone_ref(py)
    }

    #[getter(__module__)]
    fn module(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.function.getattr(py, "__module__")
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.function.bind(py).repr()?.to_string())
    }

    /// Pickled by reference, as functions are.
    fn __reduce__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.function.getattr(py, "__qualname__")
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.function)
    }
}
