//! Calls of the overload library.

use super::{
    emit::{Emit, Val},
    functions::Arguments,
    issue::{Stop, Typing},
    sequences,
};
use crate::library::Source;

/// Calls a function of the library, which knows tuples and no lists.
pub(crate) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    source: &'static Source,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let mut arguments = arguments.clone();
    for value in &mut arguments.positional {
        *value = sequences::as_tuple(e, *value);
    }
    super::calls::call_function(e, source.symbol, &arguments)
}

/// What to say when a function of the library can't be lifted.
pub(crate) fn broken(source: &Source, reason: &str) -> Stop {
    Stop::issue(format!("'{}' of the library: {reason}", source.name()))
}
