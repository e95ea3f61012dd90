//! Arrays: operators, items and attributes, and NumPy's functions of arrays.
//!
//! NumPy's functions of arrays are among the [`functions`](crate::inference::functions).

mod advanced;
mod attributes;
mod flat;
mod indexing;
mod only;
mod operators;
mod promotion;
pub(crate) mod records;
mod reinterpret;
mod stencil;
mod stencil_options;

pub(crate) use attributes::{attribute, call_method, copy, permute, transpose};
pub(crate) use flat::{flag, flat_item, flat_size, ndenumerate, ndindex, of_flags, set_flat_item};
pub(crate) use indexing::{assign, get_item, set_item};
pub(crate) use only::{only_element, truth};
pub(crate) use operators::{binary, compare, convert, inplace, same_kind, unary};
pub(crate) use promotion::weaken;
pub(crate) use reinterpret::{has_part, set_part};
pub(crate) use stencil::{call_literal, finish as finish_stencils};
