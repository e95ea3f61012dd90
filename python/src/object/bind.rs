//! Binding arguments to parameters, where nothing is wrong with them.

use std::ptr;

use pyo3::ffi::{self, PyObject};

use super::call::Arguments;
use super::layout_311::{FunctionObject, is_interned};

/// Puts arguments and defaults into the first locals, which are empty, with references of their
/// own. False, without an exception, for arguments that don't fit: CPython says what is wrong.
///
/// # Safety
/// The function and arguments are live, the GIL is held, and there are all the function's locals.
pub unsafe fn bind(
    function: *mut FunctionObject,
    locals: *mut *mut PyObject,
    arguments: Arguments,
) -> bool {
    // SAFETY: the caller's promise; each local that is written is one of a parameter.
    unsafe {
        let code = (*function).code;
        let positional = (*code).argument_count as usize;
        let named = positional + (*code).keyword_only_count as usize;
        let rest = ((*code).flags & ffi::CO_VARARGS != 0).then_some(named);
        let others = ((*code).flags & ffi::CO_VARKEYWORDS != 0)
            .then_some(named + usize::from(rest.is_some()));
        let given = arguments.count.min(positional);
        for index in 0..given {
            *locals.add(index) = ffi::Py_NewRef(*arguments.values.add(index));
        }
        match rest {
            Some(rest) => {
                let extra = slice(arguments.values, given, arguments.count);
                *locals.add(rest) = extra;
                if extra.is_null() {
                    ffi::PyErr_Clear();
                    return false;
                }
            }
            None if arguments.count > positional => return false,
            None => {}
        }
        if let Some(others) = others {
            let extra = ffi::PyDict_New();
            *locals.add(others) = extra;
            if extra.is_null() {
                ffi::PyErr_Clear();
                return false;
            }
        }
        bind_names(function, locals, arguments, others)
            && fill_positional(function, locals, given)
            && fill_named(function, locals, positional..named)
    }
}

/// Moves arguments into the first locals, which are empty, of a function without starred and
/// keyword-only parameters, and fills the others with defaults. Locals get references of their own
/// unless they are given. False for arguments that don't fit: nothing has been moved then.
///
/// # Safety
/// As [`bind`]; the caller gives up the references of `GIVEN` arguments that are moved.
#[inline(always)]
pub unsafe fn move_in<const GIVEN: bool>(
    function: *mut FunctionObject,
    locals: *mut *mut PyObject,
    arguments: Arguments,
) -> bool {
    // SAFETY: the caller's promise; each local that is written is one of a parameter.
    unsafe {
        let positional = (*(*function).code).argument_count as usize;
        if arguments.count > positional {
            return false;
        }
        if arguments.names.is_null() {
            return move_unnamed::<GIVEN>(function, locals, arguments, positional);
        }
        for index in 0..arguments.count {
            *locals.add(index) = *arguments.values.add(index);
        }
        let fits = move_names(function, locals, arguments)
            && fill_positional(function, locals, arguments.count);
        if fits {
            if !GIVEN {
                for index in 0..arguments.total() {
                    ffi::Py_INCREF(*arguments.values.add(index));
                }
            }
        } else {
            // Defaults are those of the last parameters: none was taken if one has no default.
            for index in 0..positional {
                *locals.add(index) = ptr::null_mut();
            }
        }
        fits
    }
}

/// [`move_in`] for arguments without names: defaults follow the last one.
#[inline(always)]
unsafe fn move_unnamed<const GIVEN: bool>(
    function: *mut FunctionObject,
    locals: *mut *mut PyObject,
    arguments: Arguments,
    positional: usize,
) -> bool {
    // SAFETY: as `move_in`.
    unsafe {
        let (defaults, count) = defaults(function);
        let Some(skipped) = (count + arguments.count).checked_sub(positional) else {
            return false;
        };
        for index in 0..arguments.count {
            let argument = *arguments.values.add(index);
            if !GIVEN {
                ffi::Py_INCREF(argument);
            }
            *locals.add(index) = argument;
        }
        for index in arguments.count..positional {
            let default = *defaults.add(skipped + index - arguments.count);
            *locals.add(index) = ffi::Py_NewRef(default);
        }
        true
    }
}

/// Moves the arguments with names to their parameters. False for a name that no empty one has.
unsafe fn move_names(
    function: *mut FunctionObject,
    locals: *mut *mut PyObject,
    arguments: Arguments,
) -> bool {
    // SAFETY: as `move_in`.
    unsafe {
        if arguments.names.is_null() {
            return true;
        }
        let code = (*function).code;
        let (first, end) = (
            (*code).positional_only_count as usize,
            (*code).argument_count as usize,
        );
        let parameters = tuple_items((*code).local_names);
        let names = tuple_items(arguments.names);
        (0..ffi::PyTuple_GET_SIZE(arguments.names) as usize).all(|index| {
            let name = *names.add(index);
            let place = (first..end).find(|place| *parameters.add(*place) == name);
            let place = place.filter(|place| (*locals.add(*place)).is_null());
            if let Some(place) = place {
                *locals.add(place) = *arguments.values.add(arguments.count + index);
            }
            place.is_some()
        })
    }
}

/// A tuple of some of the arguments.
unsafe fn slice(values: *const *mut PyObject, start: usize, end: usize) -> *mut PyObject {
    // SAFETY: the arguments are there; the new tuple has so many places.
    unsafe {
        let made = ffi::PyTuple_New((end - start) as ffi::Py_ssize_t);
        if !made.is_null() {
            for index in start..end {
                let value = ffi::Py_NewRef(*values.add(index));
                ffi::PyTuple_SET_ITEM(made, (index - start) as ffi::Py_ssize_t, value);
            }
        }
        made
    }
}

unsafe fn tuple_items(tuple: *mut PyObject) -> *const *mut PyObject {
    // SAFETY: the caller has a tuple.
    unsafe { (&raw const (*tuple.cast::<ffi::PyTupleObject>()).ob_item).cast() }
}

/// Puts the arguments with names where the parameters are, or into a dict of the others.
unsafe fn bind_names(
    function: *mut FunctionObject,
    locals: *mut *mut PyObject,
    arguments: Arguments,
    others: Option<usize>,
) -> bool {
    // SAFETY: as `bind`.
    unsafe {
        if arguments.names.is_null() {
            return true;
        }
        let code = (*function).code;
        let first = (*code).positional_only_count as usize;
        let named = ((*code).argument_count + (*code).keyword_only_count) as usize;
        let parameters = tuple_items((*code).local_names);
        let names = tuple_items(arguments.names);
        for index in 0..ffi::PyTuple_GET_SIZE(arguments.names) as usize {
            let name = *names.add(index);
            let value = *arguments.values.add(arguments.count + index);
            let mut place = first;
            while place < named && *parameters.add(place) != name {
                place += 1;
            }
            match (place < named).then_some(place) {
                Some(place) => {
                    if !(*locals.add(place)).is_null() {
                        return false;
                    }
                    *locals.add(place) = ffi::Py_NewRef(value);
                }
                None => {
                    // A name that is equal but not the same object is CPython's business.
                    let Some(others) = others else { return false };
                    let interned = is_interned(name);
                    let dict = *locals.add(others);
                    if !interned || ffi::PyDict_SetItem(dict, name, value) != 0 {
                        ffi::PyErr_Clear();
                        return false;
                    }
                }
            }
        }
        true
    }
}

/// A function's defaults, and how many there are.
#[inline]
unsafe fn defaults(function: *mut FunctionObject) -> (*const *mut PyObject, usize) {
    // SAFETY: the caller has a live function.
    unsafe {
        let defaults = (*function).defaults;
        match defaults.is_null() {
            true => (ptr::null(), 0),
            false => (
                tuple_items(defaults),
                ffi::PyTuple_GET_SIZE(defaults) as usize,
            ),
        }
    }
}

/// Fills positional parameters without an argument with their defaults.
#[inline]
unsafe fn fill_positional(
    function: *mut FunctionObject,
    locals: *mut *mut PyObject,
    given: usize,
) -> bool {
    // SAFETY: as `bind`; the defaults are those of the last parameters.
    unsafe {
        let positional = (*(*function).code).argument_count as usize;
        let (defaults, count) = defaults(function);
        for index in given..positional {
            let local = locals.add(index);
            if !(*local).is_null() {
                continue;
            }
            let Some(place) = (index + count).checked_sub(positional) else {
                return false;
            };
            *local = ffi::Py_NewRef(*defaults.add(place));
        }
        true
    }
}

/// Fills keyword-only parameters without an argument with their defaults.
unsafe fn fill_named(
    function: *mut FunctionObject,
    locals: *mut *mut PyObject,
    parameters: std::ops::Range<usize>,
) -> bool {
    // SAFETY: as `bind`.
    unsafe {
        for index in parameters {
            if !(*locals.add(index)).is_null() {
                continue;
            }
            let names = (*(*function).code).local_names;
            let name = ffi::PyTuple_GET_ITEM(names, index as ffi::Py_ssize_t);
            let default = match (*function).keyword_defaults.is_null() {
                true => ptr::null_mut(),
                false => ffi::PyDict_GetItemWithError((*function).keyword_defaults, name),
            };
            if default.is_null() {
                ffi::PyErr_Clear();
                return false;
            }
            *locals.add(index) = ffi::Py_NewRef(default);
        }
        true
    }
}
