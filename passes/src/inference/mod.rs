//! Type inference: from `py` to `typed`.
//!
//! [`program`] holds the functions and the specialisations that are asked for; [`flow`] finds what
//! is known of each value of a specialisation, to a fixed point over its blocks and, through
//! return types, over all of them; [`emission`] then builds the typed functions. Both phases run
//! the same typing functions ([`transfer`], [`operators`], [`functions`], [`arrays`]) on the API of
//! [`emit`].

pub(crate) mod access;
pub(crate) mod arrays;
pub(crate) mod calls;
mod choices;
pub(crate) mod closures;
pub(crate) mod combiners;
pub(crate) mod constants;
mod displays;
pub(crate) mod emission;
pub(crate) mod emit;
pub(crate) mod exceptions;
pub(crate) mod flow;
pub(crate) mod functions;
mod generators;
pub(crate) mod issue;
pub(crate) mod iteration;
mod keywords;
pub(crate) mod lattice;
pub(crate) mod library_calls;
pub mod linking;
pub(crate) mod lists;
pub(crate) mod objects;
pub(crate) mod operators;
mod optional;
pub mod overloads;
pub(crate) mod program;
mod records;
mod refinement;
pub(crate) mod refusals;
pub(crate) mod sequences;
mod specialization;
pub(crate) mod strings;
mod times;
pub(crate) mod transfer;
pub(crate) mod tuples;
