//! The containers of `pyopt.typed` as Python code uses them: one item or key at a time.
//!
//! The classes get slots of C from here ([`classes`]), so that no frame of Python's is made. What such a slot
//! does is the compiled method for the types of its arguments, called without a dispatcher ([`calls`]), or of a
//! list of numbers a read or write of its memory ([`numbers`]). Anything else, such as arguments that nothing is
//! compiled for yet, goes to a method of Python's with a name of its own.

mod calls;
mod classes;
mod description;
mod dicts;
mod iterator_class;
mod iterators;
mod lists;
mod numbers;
mod sets;

pub use classes::container_classes;
pub use description::Description;
pub use iterator_class::iterator_of_view;
