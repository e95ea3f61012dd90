//! Dicts and sets: references to entries that are found by their keys.
//!
//! Types of keys and values come from what is put in: a dict or set that holds too little is *wished* to
//! have another type where it is made, as lists are: see [`refinement`](crate::inference::refinement).
//! Finding and changing are functions of the overload library, on top of the operations on tables in
//! [`functions::intrinsics`](crate::inference::functions).

mod calls;
mod changing;
mod items;
mod make;
mod operators;

pub(crate) use self::{
    calls::viewed,
    changing::{call_method, has_method, set_item},
    items::{contains, delete_item, item, iterate},
    make::{build_dict, build_set, coerce, converted, dict, set},
    operators::{binary, compare, inplace, size, truth},
};
