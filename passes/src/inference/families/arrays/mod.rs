//! Arrays: operators, items and attributes, and NumPy's functions of arrays.
//!
//! NumPy's functions of arrays are among the [`functions`](crate::inference::functions).

mod advanced;
mod assignment;
mod attributes;
mod basic;
mod flat;
mod indexing;
mod only;
mod operators;
mod promotion;
pub(crate) mod records;
mod reinterpret;
mod stencil;
mod stencil_access;
mod stencil_options;
mod views;

pub(crate) use self::{
    assignment::assign,
    attributes::{attribute, call_method, copy, permute, transpose},
    basic::of_items,
    flat::{flag, flat_item, flat_size, ndenumerate, ndindex, of_flags, set_flat_item},
    indexing::{get_item, set_item},
    only::{only_element, truth},
    operators::{binary, compare, convert, inplace, same_kind, unary},
    promotion::{bound_in_range, weaken},
    reinterpret::{has_part, set_part},
    stencil::{call_literal, finish as finish_stencils, is_relative},
    stencil_options::construct as construct_stencil,
    views::view,
};
