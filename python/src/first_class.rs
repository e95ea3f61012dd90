//! Functions as values of which compiled code knows the signature alone.
//!
//! A parameter that is declared as a function of a signature takes any function: what is passed is the
//! address of a [`Callable`], code for that signature, by which compiled code calls it. There is one for each
//! function and signature; it stays as long as the process, as functions that are arguments do.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyopt_runtime::fork::Table;
use pyopt_runtime::{error::PyoptError, symbols};

use crate::addresses;
use crate::detached::{attach, from_compiled};
use crate::functions;
use crate::raise;
use crate::specialisation::Specialisation;

/// What the type of such a value begins with, in the compiler's text form; the signature follows.
pub const HEAD: &str = "!typed.sequence<tuple<!typed.pointer<!typed.none>>, (";

/// A function's code for a signature.
pub struct Callable {
    /// The number of the type that it is a value of.
    ty: u32,
    code: Py<Specialisation>,
    /// The function that it is of.
    function: Py<PyAny>,
}

/// Which function a value is, before it is one of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A Python function, by its number.
    Function(u32),
    /// A C function, by the number of its type and its address.
    Address(u32, i64),
}

/// The functions that were passed.
#[derive(Default)]
struct Known {
    /// By what they are, and the number of the type that they were passed as.
    by_source: HashMap<(Source, u32), &'static Callable>,
    by_address: HashMap<i64, &'static Callable>,
}

static KNOWN: Table<Known> = Table::new();

/// Whether a type, by its number, is that of functions of a signature.
pub fn is_signature(slot: u32) -> bool {
    addresses::text(slot).starts_with(HEAD)
}

/// The value of a function as one of a type; compiles what it takes the first time.
pub fn value(py: Python<'_>, source: Source, ty: u32) -> PyResult<i64> {
    if let Some(found) = KNOWN.lock().by_source.get(&(source, ty)) {
        return Ok(address(found));
    }
    let home = py.import("pyopt.first_class")?;
    let (function, made) = match source {
        Source::Function(slot) => {
            // SAFETY: the GIL is held.
            let function = unsafe { Bound::from_owned_ptr_or_err(py, functions::object(slot))? };
            let made = home.call_method1("code_of", (&function, addresses::text(ty)))?;
            (function, made)
        }
        Source::Address(own, place) => {
            let found = home.call_method1(
                "code_of_address",
                (addresses::text(own), place as u64, addresses::text(ty)),
            )?;
            found.extract()?
        }
    };
    let callable = Callable {
        ty,
        code: made.cast_into::<Specialisation>()?.unbind(),
        function: function.unbind(),
    };
    // Another thread may have been here meanwhile: the first one stays.
    let mut known = KNOWN.lock();
    let entry = known.by_source.entry((source, ty));
    let callable: &'static Callable = entry.or_insert_with(|| Box::leak(Box::new(callable)));
    known.by_address.insert(address(callable), callable);
    Ok(address(callable))
}

fn address(callable: &'static Callable) -> i64 {
    std::ptr::from_ref(callable).expose_provenance() as i64
}

/// The function that a value is, as a new reference; null with an exception set for none.
pub fn object(py: Python<'_>, place: u64) -> *mut PyObject {
    let known = KNOWN.lock().by_address.get(&place.cast_signed()).copied();
    match known {
        Some(found) => found.function.clone_ref(py).into_ptr(),
        None => {
            PyTypeError::new_err("a value is no function").restore(py);
            std::ptr::null_mut()
        }
    }
}

/// The value of a function as one of the type of a text: for code that a program writes itself.
#[pyfunction]
pub fn function_value(function: &Bound<'_, PyAny>, text: &str) -> PyResult<i64> {
    let unknown = || PyTypeError::new_err(format!("{text} is no type of functions"));
    let (ty, _) = addresses::parse(text).ok_or_else(unknown)?;
    let slot = functions::slot(function)?.ok_or_else(unknown)?;
    value(function.py(), Source::Function(slot), ty)
}

/// The number of a type of functions, for [`pyopt_function_at`].
#[pyfunction]
pub fn function_type(text: &str) -> PyResult<u32> {
    let unknown = || PyTypeError::new_err(format!("{text} is no type of functions"));
    addresses::parse(text)
        .map(|(ty, _)| ty)
        .filter(|ty| is_signature(*ty))
        .ok_or_else(unknown)
}

/// Makes known to compiled code what it calls.
pub fn load() {
    symbols::register([
        (
            c"pyopt_call_function",
            pyopt_call_function as *const () as usize,
        ),
        (
            c"pyopt_function_at",
            pyopt_function_at as *const () as usize,
        ),
    ]);
}

/// Gives the value, of the type whose number is the first slot, of the function at the address in the second:
/// a value of that type is one already, any other address is that of a C function. An exception is put into
/// the error record.
unsafe extern "C" fn pyopt_function_at(
    error: *mut PyoptError,
    returned: *mut i64,
    arguments: *const i64,
) -> i32 {
    // SAFETY: the call has two slots, and the result one.
    let (ty, place) = unsafe { (*arguments as u32, *arguments.add(1)) };
    let found = catch_unwind(AssertUnwindSafe(|| {
        let known = KNOWN.lock().by_address.get(&place).copied();
        if known.is_some_and(|callable| callable.ty == ty) {
            return Ok(place);
        }
        from_compiled(|py| {
            if place == 0 {
                return Err(PyValueError::new_err("a function's address is null"));
            }
            let home = py.import("pyopt.first_class")?;
            let own = home.call_method1("c_type", (addresses::text(ty),))?;
            let (own, _) = addresses::parse(own.extract()?)
                .ok_or_else(|| PyTypeError::new_err(format!("{own} is no type of C functions")))?;
            value(py, Source::Address(own, place), ty)
        })
    }));
    let failed = match found {
        Ok(Ok(value)) => {
            // SAFETY: as above.
            unsafe { *returned = value };
            return 0;
        }
        Ok(Err(failed)) => failed,
        Err(_) => PyRuntimeError::new_err("looking for a function by its address failed"),
    };
    // SAFETY: the record is the running code's.
    attach(|py| unsafe { raise::hand_over(failed, py, error) })
}

/// Calls the function whose value is the first slot of the arguments. An exception is put into the error
/// record.
unsafe extern "C" fn pyopt_call_function(
    error: *mut PyoptError,
    returned: *mut i64,
    arguments: *const i64,
) -> i32 {
    // SAFETY: compiled code has no other values of this type than `value` gives, which stay; the compiler
    // made the slots for the signature that the code is of, and the record is the running code's.
    unsafe {
        let callable = std::ptr::with_exposed_provenance::<Callable>(*arguments as usize);
        let run = AssertUnwindSafe(|| (*callable).code.get().run(returned, arguments.add(1)));
        let failed = match catch_unwind(run) {
            Ok(Ok(())) => return 0,
            Ok(Err(failed)) => failed,
            Err(_) => PyRuntimeError::new_err("calling a function failed"),
        };
        attach(|py| raise::hand_over(failed, py, error))
    }
}
