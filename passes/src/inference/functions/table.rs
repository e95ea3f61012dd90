//! Tables of functions.

use crate::inference::{arguments::Arguments, emit::Emit, issue::Typing, val::Val};

/// Types a call of a known function, and emits it.
pub(crate) type Function =
    for<'p, 'c, 'a> fn(&mut Emit<'p, 'c, 'a>, &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>>;

/// A family's functions by qualified name.
pub(crate) type Table = &'static [(&'static str, Function)];
