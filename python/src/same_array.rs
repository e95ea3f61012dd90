//! Whether a value of compiled code is an array that Python has already: then it is that object.

use pyo3::ffi::{self, PyObject};

use crate::numpy::{self, api};
use crate::types::{ArrayType, Kind, Layout};
use crate::unbox::{ArgBuffer, ArrayArg};

/// Whether returned slots are those of the argument.
pub fn is_argument(arg: &ArrayArg, ty: ArrayType, slots: &[i64], args: &ArgBuffer) -> bool {
    let same_type =
        arg.ty.elem == ty.elem && arg.ty.ndim == ty.ndim && arg.ty.readonly == ty.readonly;
    let same_units = (arg.ty.layout == Layout::Bytes) == (ty.layout == Layout::Bytes);
    if !same_type || !same_units {
        // The argument may have fewer slots.
        return false;
    }
    let given = &args.slots[arg.slot..][..slots.len()];
    let ndim = usize::from(ty.ndim);
    given.starts_with(&slots[..2 + ndim]) && same_strides(ndim, slots, |at| given[2 + ndim + at])
}

/// Whether the slots of an array are the whole of an object that its owner keeps: what a structure or an
/// instance of a class was given, and gives back.
///
/// # Safety
/// The GIL is held, and `object` is alive.
pub unsafe fn is_kept(object: *mut PyObject, ty: ArrayType, slots: &[i64]) -> bool {
    // SAFETY: what is an array has an array's fields, with as many extents and strides as it has dimensions.
    unsafe {
        let is_array = ffi::PyObject_TypeCheck(object, api().array_type) != 0;
        // NumPy's value of a record is no array.
        if !is_array || ty.elem.kind() == Kind::Record {
            return false;
        }
        let array = &*object.cast::<numpy::Array>();
        let ndim = usize::from(ty.ndim);
        if usize::try_from(array.nd) != Ok(ndim)
            || array.data.addr() as i64 != slots[1]
            || (array.flags & numpy::WRITEABLE == 0) != ty.readonly
            || api().elem(array.descr) != Some(ty.elem)
        {
            return false;
        }
        let shift = match ty.layout {
            Layout::Bytes => 0,
            _ => ty.elem.size_log2(),
        };
        (0..ndim).all(|at| *array.dimensions.add(at) as i64 == slots[2 + at])
            && same_strides(ndim, slots, |at| *array.strides.add(at) as i64 >> shift)
    }
}

/// Whether an array has these strides, wherever one is ever taken: NumPy has others than compiled code where
/// none is.
fn same_strides(ndim: usize, slots: &[i64], stride: impl Fn(usize) -> i64) -> bool {
    let (extents, strides) = slots[2..].split_at(ndim);
    extents.contains(&0) || (0..ndim).all(|at| extents[at] == 1 || strides[at] == stride(at))
}
