//! Families of operations: each file or folder has what can be done with values of some types.
//!
//! A family makes operations with the emitter, and asks the emitter's rules for what depends on
//! values of other families; so none of them needs to know all others. Where one builds on another,
//! as times on the elements of arrays, it imports that one, and never the other way.

pub(crate) mod addresses;
pub(crate) mod arrays;
pub(crate) mod bits;
pub(crate) mod choices;
pub(crate) mod closures;
pub(crate) mod combiners;
pub(crate) mod dtypes;
pub(crate) mod elements;
pub(crate) mod exceptions;
pub(crate) mod first_class;
pub(crate) mod formatting;
pub(crate) mod generators;
pub(crate) mod iteration;
pub mod linking;
pub(crate) mod lists;
mod number_formats;
pub(crate) mod numbers;
pub(crate) mod objects;
pub(crate) mod optional;
pub mod overloads;
pub(crate) mod packed_keywords;
pub(crate) mod patterns;
pub(crate) mod questions;
pub(crate) mod sequences;
pub(crate) mod slices;
pub(crate) mod spread;
pub(crate) mod strings;
pub(crate) mod structures;
pub(crate) mod tables;
pub(crate) mod texts;
pub(crate) mod times;
pub(crate) mod tuples;
pub(crate) mod ufuncs;
pub(crate) mod unbound_methods;
pub(crate) mod unpacking;
pub(crate) mod wrappers;
