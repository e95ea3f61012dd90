//! Structured dtypes that compiled code has met, by number.
//!
//! A dtype keeps its number as long as the process lives, and is kept alive: compiled functions and
//! fingerprints hold the number. Dtypes of one text in the compiler's form have one number.

use std::collections::HashMap;
use std::fmt::Write;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use pyopt_runtime::fork::Table;

use crate::literal_texts::quoted;
use crate::numpy::{Descr, api};

#[derive(Default)]
struct Records {
    known: Vec<(Py<PyAny>, String)>,
    by_text: HashMap<String, u32>,
    by_address: HashMap<usize, u32>,
    /// Dtypes whose addresses are in the table above.
    kept: Vec<Py<PyAny>>,
}

static RECORDS: Table<Records> = Table::new();

/// The number of a dtype; an exception for one that isn't structured.
pub fn slot(dtype: &Bound<'_, PyAny>) -> PyResult<u32> {
    let address = dtype.as_ptr().addr();
    if let Some(slot) = RECORDS.lock().by_address.get(&address) {
        return Ok(*slot);
    }
    // Without the lock: this runs Python.
    let text = describe(dtype)?;
    let mut records = RECORDS.lock();
    let slot = match records.by_text.get(&text) {
        Some(slot) => *slot,
        None => {
            let slot = u32::try_from(records.known.len()).expect("there are fewer dtypes");
            records.known.push((dtype.clone().unbind(), text.clone()));
            records.by_text.insert(text, slot);
            slot
        }
    };
    records.by_address.insert(address, slot);
    records.kept.push(dtype.clone().unbind());
    Ok(slot)
}

/// The type in the compiler's form.
pub fn text(slot: u32) -> String {
    RECORDS.lock().known[slot as usize].1.clone()
}

/// Whether two dtypes differ at most in the class of their scalars, `numpy.record` or `numpy.void`.
pub fn same_fields(one: u32, other: u32) -> bool {
    let records = RECORDS.lock();
    let fields = |slot: u32| records.known[slot as usize].1.split_once(',');
    one == other || fields(one).map(|(_, rest)| rest) == fields(other).map(|(_, rest)| rest)
}

/// Whether the records of one dtype begin as all of those of another are: compiled code that is made for
/// the other reads and writes those of the first.
pub fn begin_as(one: u32, other: u32) -> bool {
    let records = RECORDS.lock();
    let fields = |slot: u32| {
        let (_, fields) = records.known[slot as usize].1.split_once(", [")?;
        fields.strip_suffix("]>")
    };
    let behind = fields(one)
        .zip(fields(other))
        .and_then(|(one, other)| one.strip_prefix(other));
    behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(", ["))
}

/// The number of a type in the compiler's form.
pub fn slot_of_text(text: &str) -> Option<u32> {
    RECORDS.lock().by_text.get(text).copied()
}

/// The dtype.
pub fn dtype(py: Python<'_>, slot: u32) -> Py<PyAny> {
    RECORDS.lock().known[slot as usize].0.clone_ref(py)
}

/// Writes a dtype in the compiler's form, and makes those of its fields known.
fn describe(dtype: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = dtype.py();
    let names: Option<Vec<String>> = dtype.getattr("names")?.extract()?;
    let names = names.ok_or_else(|| PyTypeError::new_err("the dtype has no fields"))?;
    let fields = dtype.getattr("fields")?;
    let kind = dtype.getattr("type")?.cast_into::<PyType>()?;
    let record = py.import("numpy")?.getattr("record")?;
    let kind = if kind.is(&record) { "record" } else { "void" };
    let size: i64 = dtype.getattr("itemsize")?.extract()?;
    let mut text = format!("!typed.record<\"{kind}\", {size}, [");
    for (index, name) in names.iter().enumerate() {
        let field = fields.get_item(name)?.cast_into::<PyTuple>()?;
        let offset: i64 = field.get_item(1)?.extract()?;
        let mut of = field.get_item(0)?;
        let mut sizes: Vec<i64> = Vec::new();
        if let Ok((base, shape)) = of
            .getattr("subdtype")?
            .extract::<(Bound<'_, PyAny>, Vec<i64>)>()
        {
            (of, sizes) = (base, shape);
        }
        // SAFETY: the object is a dtype and alive, and the GIL is held.
        let elem = unsafe { api().elem(of.as_ptr().cast::<Descr>()) };
        let elem = match elem {
            Some(elem) => elem.to_string(),
            None => match characters(&of)?.filter(|_| sizes.is_empty()) {
                Some((text, count)) => {
                    sizes.push(count);
                    text.to_string()
                }
                None => "!typed.none".to_string(),
            },
        };
        let comma = if index == 0 { "" } else { ", " };
        let name = quoted(name.as_bytes());
        write!(text, "{comma}[{name}, {offset}, {elem}").expect("a string grows");
        for size in sizes {
            write!(text, ", {size}").expect("a string grows");
        }
        if let Ok(title) = field.get_item(2)
            && let Ok(title) = title.extract::<String>()
        {
            write!(text, ", {}", quoted(title.as_bytes())).expect("a string grows");
        }
        text.push(']');
    }
    text.push_str("]>");
    Ok(text)
}

/// The type of the values of a dtype of texts or bytes in this byte order, and how many units each has.
fn characters(dtype: &Bound<'_, PyAny>) -> PyResult<Option<(&'static str, i64)>> {
    let (text, width) = match dtype.getattr("kind")?.extract::<char>()? {
        'U' => ("!typed.str", 4),
        'S' => ("!typed.bytes", 1),
        _ => return Ok(None),
    };
    let bytes: i64 = dtype.getattr("itemsize")?.extract()?;
    let is_native: bool = dtype.getattr("isnative")?.extract()?;
    // A field of no bytes would be seen at the end of the record, or behind it.
    Ok((is_native && bytes > 0).then_some((text, bytes / width)))
}
