//! The classes of named tuples that compiled code has met, by number. A type of an extension's own is such
//! a class, of the fields of its model; [`BOX`] makes the object that it stands for.
//!
//! A class keeps its number, the slot, as long as the process lives, and is kept alive: fingerprints hold
//! it. In the compiler's text form, which code that is kept on disk has too, the class has a number that
//! tells those of one name and the same fields apart.

use std::collections::HashMap;
use std::thread::{self, ThreadId};

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyType;
use pyopt_runtime::fork::Table;

use crate::types::Class;

/// A class and what the compiler knows of it.
struct Known {
    object: Py<PyType>,
    class: Class,
    boxes: bool,
}

/// The name of the method of a class that makes the object that its items stand for.
const BOX: &str = "__pyopt_box__";

#[derive(Default)]
struct Classes {
    known: Vec<Known>,
    by_address: HashMap<usize, u32>,
    /// What `pyopt.named_tuples` is being told of, and by which thread: it asks for the number meanwhile.
    entering: Vec<(u32, ThreadId)>,
}

impl Classes {
    /// The number of a class that there is all of, for this thread.
    fn find(&self, address: usize) -> Option<u32> {
        let slot = *self.by_address.get(&address)?;
        let mut entering = self.entering.iter().filter(|one| one.0 == slot).peekable();
        let thread = || thread::current().id();
        (entering.peek().is_none() || entering.any(|one| one.1 == thread())).then_some(slot)
    }

    fn add(
        &mut self,
        class: &Bound<'_, PyType>,
        name: String,
        fields: Vec<String>,
        boxes: bool,
    ) -> u32 {
        let slot = u32::try_from(self.known.len()).expect("there are fewer classes");
        let same = self.known.iter().filter(|known| match &known.class {
            Class::Named {
                name: other,
                fields: others,
                ..
            } => *other == name && *others == fields,
            Class::List => false,
        });
        let number = u32::try_from(same.count()).expect("there are fewer classes");
        let class_of_items = Class::Named {
            slot,
            number,
            name,
            fields,
        };
        self.known.push(Known {
            object: class.clone().unbind(),
            class: class_of_items,
            boxes,
        });
        self.by_address.insert(class.as_ptr().addr(), slot);
        slot
    }
}

static CLASSES: Table<Classes> = Table::new();

/// The number of a class of named tuples.
pub fn slot(class: &Bound<'_, PyType>) -> PyResult<u32> {
    let address = class.as_ptr().addr();
    if let Some(slot) = CLASSES.lock().find(address) {
        return Ok(slot);
    }
    let fields: Vec<String> = class.getattr("_fields")?.extract()?;
    let name = class.name()?.to_string();
    let boxes = class.hasattr(BOX)?;
    let mut classes = CLASSES.lock();
    // Another thread may be at it. This one doesn't wait for it, but does the rest, too.
    let known = classes.by_address.get(&address).copied();
    let slot = known.unwrap_or_else(|| classes.add(class, name, fields, boxes));
    if boxes {
        return Ok(slot);
    }
    let own = (slot, thread::current().id());
    classes.entering.push(own);
    drop(classes);
    // What it has besides its items.
    let home = class.py().import("pyopt.named_tuples");
    let entered = home.and_then(|home| home.call_method1("enter", (class,)));
    CLASSES.lock().entering.retain(|one| *one != own);
    entered.map(|_| slot)
}

/// What the compiler calls a class.
pub fn describe(slot: u32) -> Class {
    CLASSES.lock().known[slot as usize].class.clone()
}

/// The class with a name and fields that has a number in the compiler's text form.
pub fn find(wanted_name: &str, wanted_number: u32, wanted_fields: &[String]) -> Option<Class> {
    let classes = CLASSES.lock();
    let fits = |known: &&Known| match &known.class {
        Class::Named {
            number,
            name,
            fields,
            ..
        } => name == wanted_name && *number == wanted_number && fields == wanted_fields,
        Class::List => false,
    };
    let found = classes.known.iter().find(fits);
    found.map(|known| known.class.clone())
}

/// The number of a class, for the compiler's bindings.
#[pyfunction]
pub fn named_tuple_slot(class: &Bound<'_, PyType>) -> PyResult<u32> {
    slot(class)
}

/// Whether the instances of a class stand for objects that it makes.
pub fn boxes(slot: u32) -> bool {
    CLASSES.lock().known[slot as usize].boxes
}

/// Makes an object of an extension's type, or a named tuple of a tuple, as the class's `_make` does; null with
/// an exception set if that fails.
///
/// # Safety
/// The GIL is held, `items` is a tuple of as many items as the class has fields.
pub unsafe fn instance(slot: u32, items: *mut PyObject) -> *mut PyObject {
    if !boxes(slot) {
        // SAFETY: forwarded.
        return unsafe { plain_instance(slot, items) };
    }
    // SAFETY: the GIL is held, as the caller says; a bound reference is given up at once.
    let (py, items) = unsafe {
        let py = Python::assume_attached();
        (py, Bound::from_borrowed_ptr(py, items))
    };
    match class(py, slot).call_method1(BOX, (items,)) {
        Ok(object) => object.into_ptr(),
        Err(error) => {
            error.restore(py);
            std::ptr::null_mut()
        }
    }
}

/// Makes an instance of a class that holds the items; null with an exception set if that fails.
///
/// # Safety
/// As [`instance`].
pub unsafe fn plain_instance(slot: u32, items: *mut PyObject) -> *mut PyObject {
    // SAFETY: the GIL is held, as the caller says; the class is alive as long as the process.
    unsafe {
        let class = class(Python::assume_attached(), slot);
        let arguments = ffi::PyTuple_Pack(1, items);
        if arguments.is_null() {
            return arguments;
        }
        let new = ffi::PyTuple_Type.tp_new.expect("tuples can be made");
        let made = new(class.as_ptr().cast(), arguments, std::ptr::null_mut());
        ffi::Py_DECREF(arguments);
        made
    }
}

fn class(py: Python<'_>, slot: u32) -> Bound<'_, PyType> {
    CLASSES.lock().known[slot as usize].object.bind(py).clone()
}
