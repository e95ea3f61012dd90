//! Mutable lists: references to items of one type.
//!
//! A list that is never mutated is a [sequence](super::sequences): its items may have several
//! types, and it costs nothing. A mutation wishes for a mutable list where the value is made: see
//! [`refinement`](crate::inference::refinement). Most methods are functions of the overload library, on top of
//! `append`, items and a few intrinsics.

mod changing;
mod items;
mod make;
mod operators;

pub(crate) use self::{
    changing::{append, call_method, changed, has_method},
    items::{delete_item, first_items, item, set_item},
    make::{
        begin, coerce, convert, converted, for_recursion, len, make, refuse_sharing, with_room,
    },
    operators::{binary, compare, inplace, truth},
};
