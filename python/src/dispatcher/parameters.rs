//! Parameters of a Python function, and how a call's arguments go to them.

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use smallvec::SmallVec;

/// One parameter.
struct Parameter {
    name: Py<PyString>,
    default: Option<Py<PyAny>>,
}

/// The parameters of a function, keyword-only ones last.
pub struct Parameters {
    all: Vec<Parameter>,
    /// How many may be given by position.
    positional: usize,
    /// How many of these may not be given by name.
    positional_only: usize,
    /// The name of the parameter that takes further arguments: `*args`. They are compiled for as
    /// if each had a parameter.
    rest: Option<Py<PyString>>,
}

/// A call's arguments in the order of the parameters; the references are the caller's.
pub type Bound = SmallVec<[*mut PyObject; 16]>;

impl Parameters {
    /// Reads the parameters of a function.
    pub fn of(py_func: &pyo3::Bound<'_, PyAny>) -> PyResult<Self> {
        let code = py_func.getattr("__code__")?;
        let count = |name: &str| code.getattr(name)?.extract::<usize>();
        let positional = count("co_argcount")?;
        let total = positional + count("co_kwonlyargcount")?;
        let names = code.getattr("co_varnames")?.cast_into::<PyTuple>()?;
        let has_rest = code.getattr("co_flags")?.extract::<i32>()? & ffi::CO_VARARGS != 0;
        let rest = match has_rest {
            true => Some(names.get_item(total)?.cast_into::<PyString>()?.unbind()),
            false => None,
        };
        let defaults = py_func.getattr("__defaults__")?.cast_into::<PyTuple>().ok();
        let keyword_defaults = py_func
            .getattr("__kwdefaults__")?
            .cast_into::<PyDict>()
            .ok();
        let first_default = positional - defaults.as_ref().map_or(0, |defaults| defaults.len());
        let mut all = Vec::with_capacity(total);
        for index in 0..total {
            let name = names.get_item(index)?.cast_into::<PyString>()?;
            let default = match (&defaults, &keyword_defaults) {
                (Some(defaults), _) if (first_default..positional).contains(&index) => {
                    Some(defaults.get_item(index - first_default)?)
                }
                (_, Some(defaults)) if index >= positional => defaults.get_item(&name)?,
                _ => None,
            };
            all.push(Parameter {
                name: name.unbind(),
                default: default.map(pyo3::Bound::unbind),
            });
        }
        Ok(Parameters {
            all,
            positional,
            positional_only: count("co_posonlyargcount")?,
            rest,
        })
    }

    /// Whether `count` positional arguments are exactly the parameters.
    #[inline]
    pub fn is_complete(&self, count: usize) -> bool {
        let exact = count == self.positional || count > self.positional && self.rest.is_some();
        exact && self.all.len() == self.positional
    }

    /// Name of the parameter that gets the argument at `index`.
    pub fn name(&self, index: usize) -> &Py<PyString> {
        let named = self.all.get(index).map(|parameter| &parameter.name);
        named
            .or(self.rest.as_ref())
            .expect("each argument has a parameter")
    }

    /// Visits the Python objects held, for the garbage collector.
    pub fn defaults(&self) -> impl Iterator<Item = &Py<PyAny>> {
        self.all
            .iter()
            .filter_map(|parameter| parameter.default.as_ref())
    }

    /// Sorts a vectorcall's arguments by parameter, those of `*args` last; `None` if they don't fit.
    ///
    /// # Safety
    /// The GIL is held; `args` holds `count` positional arguments and the values of `names`, a tuple of
    /// strings or null.
    pub unsafe fn bind(
        &self,
        args: *const *mut PyObject,
        count: usize,
        names: *mut PyObject,
    ) -> Option<Bound> {
        if count > self.positional && self.rest.is_none() {
            return None;
        }
        let named = count.min(self.positional);
        let mut bound: Bound = SmallVec::with_capacity(self.all.len());
        // SAFETY: the caller vouches for `args` and `names`.
        unsafe {
            bound.extend((0..named).map(|index| *args.add(index)));
            bound.resize(self.all.len(), std::ptr::null_mut());
            let keywords = if names.is_null() {
                0
            } else {
                ffi::PyTuple_GET_SIZE(names) as usize
            };
            for index in 0..keywords {
                let place = self.place(ffi::PyTuple_GET_ITEM(names, index as ffi::Py_ssize_t))?;
                if !bound[place].is_null() {
                    return None;
                }
                bound[place] = *args.add(count + index);
            }
        }
        for (value, parameter) in bound.iter_mut().zip(&self.all) {
            if value.is_null() {
                *value = parameter.default.as_ref()?.as_ptr();
            }
        }
        // SAFETY: the caller vouches for `args`.
        bound.extend((named..count).map(|index| unsafe { *args.add(index) }));
        Some(bound)
    }

    /// The parameter of that name.
    ///
    /// # Safety
    /// The GIL is held and `name` is a string.
    unsafe fn place(&self, name: *mut PyObject) -> Option<usize> {
        let by_name = self.all.iter().enumerate().skip(self.positional_only);
        // Names in source code are interned, so the same name is nearly always the same object.
        let same = by_name
            .clone()
            .find(|(_, parameter)| parameter.name.as_ptr() == name);
        let equal = || {
            // SAFETY: both are strings; comparing strings for equality can't fail.
            by_name.clone().find(|(_, parameter)| unsafe {
                ffi::PyUnicode_Compare(parameter.name.as_ptr(), name) == 0
            })
        };
        same.or_else(equal).map(|(index, _)| index)
    }
}
