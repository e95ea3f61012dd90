//! The functions, constants and types of Python's, math's and NumPy's that compiled code knows.
//!
//! Each family has a table of qualified names. A function takes the emitter and the
//! arguments of a call, and gives its result; [`registry`] finds it by name.

mod builtins;
mod c_memory;
mod cmath;
mod dtypes;
mod intrinsics;
mod kept_results;
mod limits;
mod made_constants;
mod math;
mod numpy;
mod numpy_arrays;
mod numpy_axes;
mod numpy_creation;
mod numpy_elements;
mod numpy_items;
mod numpy_linear;
mod numpy_ranges;
mod numpy_reductions;
mod operator;
mod printing;
mod reflection;
mod registry;
mod rounding;
mod row_reductions;
mod table;
mod table_intrinsics;
mod texts;
mod threads;
mod ufunc_methods;
mod ufunc_out;
mod user_ufuncs;

pub(crate) use self::{
    dtypes::{convert, dtype_attribute},
    kept_results::KEPT_RESULTS,
    limits::attribute as limit,
    numpy_linear::matmul,
    registry::{call, is_known, load, named},
    ufunc_methods::{attribute as ufunc_attribute, call_method as call_ufunc_method},
};
