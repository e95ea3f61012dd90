//! Parameters of a Python function, and how a call's arguments go to them.

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

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

impl Parameters {
    /// Reads the parameters of a function.
    pub fn of(py_func: &Bound<'_, PyAny>) -> PyResult<Self> {
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
                default: default.map(Bound::unbind),
            });
        }
        Ok(Parameters {
            all,
            positional,
            positional_only: count("co_posonlyargcount")?,
            rest,
        })
    }

    /// How many arguments by position are exactly the parameters, if there is one such count.
    pub fn plain_count(&self) -> usize {
        match self.rest.is_none() && self.all.len() == self.positional {
            true => self.positional,
            false => usize::MAX,
        }
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

    /// How many arguments there are after [`Self::bind`], for a call with so many by position.
    #[inline]
    pub fn bound_count(&self, count: usize) -> usize {
        self.all.len() + count.saturating_sub(self.positional)
    }

    /// Sorts a vectorcall's arguments by parameter into `bound`, those of `*args` last; whether they fit.
    /// The references are the caller's and the defaults'.
    ///
    /// # Safety
    /// The GIL is held; `args` holds `count` positional arguments and the values of `names`, a tuple of
    /// strings or null. `bound` holds [`Self::bound_count`] null pointers.
    #[inline]
    pub unsafe fn bind(
        &self,
        args: *const *mut PyObject,
        count: usize,
        names: *mut PyObject,
        bound: &mut [*mut PyObject],
    ) -> bool {
        if count > self.positional && self.rest.is_none() {
            return false;
        }
        let named = count.min(self.positional);
        let (parameters, rest) = bound.split_at_mut(self.all.len());
        // SAFETY: the caller vouches for `args` and `names`.
        unsafe {
            for (index, place) in parameters[..named].iter_mut().enumerate() {
                *place = *args.add(index);
            }
            for (index, place) in rest.iter_mut().enumerate() {
                *place = *args.add(named + index);
            }
            if !names.is_null() {
                for index in 0..ffi::PyTuple_GET_SIZE(names) as usize {
                    let name = ffi::PyTuple_GET_ITEM(names, index as ffi::Py_ssize_t);
                    let Some(place) = self.place(name, count + index) else {
                        return false;
                    };
                    if !parameters[place].is_null() {
                        return false;
                    }
                    parameters[place] = *args.add(count + index);
                }
            }
        }
        for (value, parameter) in parameters.iter_mut().zip(&self.all).skip(named) {
            if value.is_null() {
                match &parameter.default {
                    Some(default) => *value = default.as_ptr(),
                    None => return false,
                }
            }
        }
        true
    }

    /// The parameter of that name, which is often the one at `guess`.
    ///
    /// # Safety
    /// The GIL is held and `name` is a string.
    #[inline]
    unsafe fn place(&self, name: *mut PyObject, guess: usize) -> Option<usize> {
        // Names in source code are interned, so the same name is nearly always the same object.
        let is_same = |index: usize| self.all[index].name.as_ptr() == name;
        let by_name = self.positional_only..self.all.len();
        if by_name.contains(&guess) && is_same(guess) {
            return Some(guess);
        }
        by_name.clone().find(|index| is_same(*index)).or_else(|| {
            // SAFETY: both are strings; comparing strings for equality can't fail.
            let is_equal = |index: usize| unsafe {
                ffi::PyUnicode_Compare(self.all[index].name.as_ptr(), name) == 0
            };
            by_name.clone().find(|index| is_equal(*index))
        })
    }
}
