//! The results that functions with a cache have given: the runtime keeps a table for each such function.

use super::table::Table;
use crate::inference::{
    arguments::Arguments, emit::Emit, families::objects, issue::Typing, val::Val,
};

/// The name of what gives the table of the function that calls it; the argument is one for when there is none.
pub(crate) const KEPT_RESULTS: &str = "pyopt.kept_results";

/// The functions; their meaning is written in `python/pyopt/cached_functions.py`.
pub(super) const FUNCTIONS: Table = &[(KEPT_RESULTS, kept_results)];

fn kept_results<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let fresh = arguments.one()?;
    // The text is data of this code alone: where it lies says which function it is.
    let symbol = e.program.specializations[e.specialization].symbol.clone();
    let function = e.string(&symbol);
    let table = fresh.ty;
    Ok(objects::call_native(
        e,
        "pyopt_kept_results",
        &[function, fresh],
        table,
    ))
}
