//! Arrays over memory that C code knows, and its addresses.

use super::{numpy_creation::shape, table::Table};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{addresses, dtypes::dtype_or},
        issue::{Stop, Typing, stop},
        val::Val,
    },
    types::{
        addresses::{is_void_pointer, pointee, pointer_to},
        display::display,
    },
};
use pyopt_dialects::{
    enums::CompareKind,
    records::Record,
    typed::{Layout, array_type},
};

/// The functions. `FFI` is what cffi's objects of that class are known as.
pub(super) const FUNCTIONS: Table = &[
    ("pyopt.carray", |e, x| array(e, x, Layout::C)),
    ("pyopt.farray", |e, x| array(e, x, Layout::F)),
    ("pyopt.FFI.from_buffer", from_buffer),
];

/// `carray(ptr, shape, dtype)`, and the same in Fortran's order.
fn array<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    layout: Layout,
) -> Typing<Val<'c, 'a>> {
    let [Some(pointer), Some(sizes), dtype] = arguments.bind(["ptr", "shape", "dtype"], 2)? else {
        return Err(arguments.wrong_count("two or three arguments"));
    };
    let Some(known) = pointee(pointer.ty) else {
        return Err(arguments.no_implementation().hint("pass a pointer"));
    };
    let element = dtype_or(e, dtype, known)?;
    let pointer = if is_void_pointer(pointer.ty) {
        if element == known {
            return stop("explicit dtype required for void*");
        }
        let ty = pointer_to(e.context(), element);
        addresses::cast(e, pointer, ty)
    } else if element == known {
        pointer
    } else {
        return stop(format!(
            "mismatching dtype '{}' for pointer type '{}'",
            display(element),
            display(pointer.ty)
        ));
    };
    let sizes = shape(e, sizes)?;
    if layout == Layout::F && sizes.len() > 1 && Record::of(element).is_some() {
        return stop("there are no arrays of records in Fortran's order");
    }
    for size in sizes.iter().filter(|size| size.literal.is_none()) {
        let zero = e.int(0);
        let is_negative = e.compare(CompareKind::Lt, *size, zero);
        let message = "negative dimensions are not allowed";
        e.raise_if(is_negative, "ValueError", Some(message));
    }
    addresses::array(e, pointer, &sizes, layout)
        .ok_or_else(|| Stop::issue(format!("there are no arrays over {}", display(pointer.ty))))
}

/// `ffi.from_buffer(array)`: the pointer to the elements.
fn from_buffer<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let value = arguments.one()?;
    let Some(array) = array_type(value.ty) else {
        return stop(format!(
            "from_buffer() expected a buffer object, got {}",
            display(value.ty)
        ));
    };
    if !array.layout.is_contiguous() {
        return stop(format!(
            "from_buffer() unsupported on non-contiguous buffers (got {})",
            display(value.ty)
        ));
    }
    if array.layout != Layout::C && array.rank > 1 {
        return stop(format!(
            "from_buffer() only supports multidimensional arrays with C layout (got {})",
            display(value.ty)
        ));
    }
    addresses::of_array(e, value).ok_or_else(|| arguments.no_implementation())
}
