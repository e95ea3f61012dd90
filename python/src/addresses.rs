//! Addresses as arguments: pointers and C functions, of `ctypes` and others, and functions of a signature.
//!
//! Python says what an object is the address of (`pyopt.c_functions`). The types have numbers, for
//! fingerprints; a number stays as long as the process lives.

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyopt_runtime::fork::Table;

use crate::first_class;

static TYPES: Table<Vec<String>> = Table::new();

/// What the types of addresses begin with, in the compiler's text form.
const HEADS: [&str; 3] = ["!typed.pointer<", "!typed.c_function<", first_class::HEAD];

/// The number of the type at the start of a text, and what follows it; `None` for other types.
pub fn parse(text: &str) -> Option<(u32, &str)> {
    HEADS.iter().find(|head| text.starts_with(**head))?;
    let (own, rest) = text.split_at(closing(text)?);
    let mut types = TYPES.lock();
    let known = types.iter().position(|known| known == own);
    let slot = known.unwrap_or_else(|| {
        types.push(own.to_owned());
        types.len() - 1
    });
    Some((u32::try_from(slot).ok()?, rest))
}

/// Where the bracket that opens first is closed. The `>` of an arrow closes none.
pub fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut before = ' ';
    let mut is_quoted = false;
    for (at, char) in text.char_indices() {
        match char {
            // In names, quotation marks are written by their numbers.
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '<' => depth += 1,
            '>' if before != '-' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        before = char;
    }
    None
}

/// The type with a number.
pub fn text(slot: u32) -> String {
    TYPES.lock()[slot as usize].clone()
}

/// Whether the type with a number is that of C functions.
pub fn is_function(slot: u32) -> bool {
    text(slot).starts_with(HEADS[1])
}

/// The type and the value of an object that stands for an address; `None` for any other.
pub fn of_object(object: &Bound<'_, PyAny>) -> PyResult<Option<(u32, u64)>> {
    static DESCRIBE: pyo3::sync::PyOnceLock<Py<PyAny>> = pyo3::sync::PyOnceLock::new();
    let py = object.py();
    let describe = DESCRIBE.get_or_try_init(py, || {
        let module = py.import("pyopt.c_functions")?;
        Ok::<_, PyErr>(module.getattr("argument")?.unbind())
    })?;
    let found = describe.bind(py).call1((object,))?;
    let Some((text, address)) = found.extract::<Option<(String, u64)>>()? else {
        return Ok(None);
    };
    Ok(parse(&text).map(|(slot, _)| (slot, address)))
}

/// The object of an address that compiled code returns: of a C function the one that came from Python, if
/// it is still there, else a number. Null with an exception set if that fails.
///
/// # Safety
/// The GIL is held.
// Inlined it would slow down what makes objects of every other result.
#[cold]
#[inline(never)]
pub unsafe fn object(slot: u32, address: u64) -> *mut PyObject {
    // SAFETY: the GIL is held.
    let py = unsafe { Python::assume_attached() };
    if first_class::is_signature(slot) {
        return first_class::object(py, address);
    }
    if !is_function(slot) {
        // SAFETY: the GIL is held.
        return unsafe { ffi::PyLong_FromUnsignedLongLong(address) };
    }
    let found = py
        .import("pyopt.c_functions")
        .and_then(|module| module.getattr("object_at")?.call1((address,)));
    match found {
        Ok(object) => object.into_ptr(),
        Err(error) => {
            error.restore(py);
            std::ptr::null_mut()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_end_where_their_brackets_do() {
        let function = "!typed.c_function<(f64, !typed.pointer<f64>) -> f64>";
        for text in [function, "!typed.pointer<!typed.pointer<!typed.none>>"] {
            let rest = format!("{text}, si64>");
            let (slot, rest) = parse(&rest).unwrap();
            assert_eq!((super::text(slot).as_str(), rest), (text, ", si64>"));
        }
        assert!(parse("si64").is_none());
        assert!(parse("!typed.pointer<f64").is_none());
    }
}
