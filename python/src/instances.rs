//! Classes of arguments that compiled code knows nothing of but the class: sets, dicts, bytes, ….
//!
//! Such an argument has no slots. It can be passed on, asked for its class, and left alone. A class keeps
//! its number as long as the process lives, and is kept alive. The type's text has another number, which
//! tells classes of the same names apart: code that is kept on disk has the text.

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use pyopt_runtime::fork::Table;

#[derive(Default)]
struct Classes {
    /// Each class, and the type of its instances in the compiler's text form.
    known: Vec<(Py<PyType>, String)>,
    by_address: HashMap<usize, u32>,
    by_text: HashMap<String, u32>,
}

static CLASSES: Table<Classes> = Table::new();

/// The number of a class.
pub fn slot(class: &Bound<'_, PyType>) -> PyResult<u32> {
    let address = class.as_ptr().addr();
    if let Some(slot) = CLASSES.lock().by_address.get(&address) {
        return Ok(*slot);
    }
    let bases = class.getattr("__mro__")?.cast_into::<PyTuple>()?;
    let names = bases
        .iter()
        .map(|base| {
            let module: String = base.getattr("__module__")?.extract()?;
            let name: String = base.getattr("__qualname__")?.extract()?;
            Ok(format!("{module}.{name}").replace(['"', '\\'], "?"))
        })
        .collect::<PyResult<Vec<_>>>()?;
    let mut classes = CLASSES.lock();
    // Another thread may have been here meanwhile.
    if let Some(slot) = classes.by_address.get(&address) {
        return Ok(*slot);
    }
    let slot = u32::try_from(classes.known.len()).expect("there are fewer classes");
    let text = |number| format!("!typed.literal<{{mro = {names:?}, slot = {number} : i64}}>");
    let text = (0..)
        .map(text)
        .find(|text| !classes.by_text.contains_key(text));
    let text = text.expect("there are fewer classes");
    classes.by_text.insert(text.clone(), slot);
    classes.known.push((class.clone().unbind(), text));
    classes.by_address.insert(address, slot);
    Ok(slot)
}

/// The type of instances of a class, in the compiler's text form.
pub fn text(slot: u32) -> String {
    CLASSES.lock().known[slot as usize].1.clone()
}

/// The number of the class whose instances have a type.
pub fn find(text: &str) -> Option<u32> {
    CLASSES.lock().by_text.get(text).copied()
}
