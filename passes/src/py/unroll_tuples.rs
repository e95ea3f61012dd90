//! `py-unroll-tuples`: loops over tuples of several types become their turns.
//!
//! A loop has one type for its variable, so each turn is typed by itself. That the types differ must
//! be known here, before inference: by constants, and by the types of arguments. Where only inference
//! knows it, it [unrolls](unroll_known) the loop itself.

use super::{
    bindings::{Bindings, erase_known},
    blocks::erase_unreachable,
    promote_cells::promote,
    tuple_items::{Item, Kind, Known, LITERAL_UNROLL, items},
    unrolling::Loop,
};
use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec, ValueExt,
    ops::py,
};
use melior::{
    Context,
    ir::{OperationRef, Value},
};

/// Longer tuples are left as they are: each turn is a copy of the loop.
const MOST_ITEMS: usize = 32;

/// Loops over mixed tuples.
pub static PASS: PassSpec = PassSpec {
    description: "A `for` loop over a tuple whose items are known to have several types, or over \
                  `enumerate` or `zip` of such tuples, becomes a copy of its body for each item. \
                  Argument types come from `py-fixup-args`.",
    dialects: &["py", "cf"],
    statistics: &[StatisticSpec::new("unrolled", "loops that were unrolled")],
    ..PassSpec::new(
        "py-unroll-tuples",
        "unroll loops over tuples of several types",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let bindings = Bindings::read(cx.context(), root);
    let blocks = root.nested_blocks().into_iter();
    let operations = blocks.flat_map(BlockExt::operation_list);
    for function in operations.filter_map(py::Func::of) {
        let wanted = |_: py::GetIter<'c, '_>, items: &[Item<'c, '_>]| {
            let kinds: Vec<_> = items.iter().map(|item| item.kind(&bindings)).collect();
            items.len() <= MOST_ITEMS && are_several(&kinds)
        };
        // A copy of a loop in a loop is a loop of its own.
        while unroll_first(cx.context(), &bindings, function, &wanted) {
            cx.bump("unrolled", 1);
        }
    }
    Ok(())
}

/// Unrolls the loops whose iterators are `wanted`, as far as the items are known; whether there was one.
pub(crate) fn unroll_known<'c: 'a, 'a>(
    context: &'c Context,
    known: &dyn Known<'c, 'a>,
    function: py::Func<'c, 'a>,
    wanted: &dyn Fn(py::GetIter<'c, 'a>) -> bool,
) -> bool {
    let wanted = worth_it(known, wanted);
    let mut has_unrolled = false;
    while unroll_first(context, known, function, &wanted) {
        has_unrolled = true;
    }
    if has_unrolled {
        promote(context, function);
    }
    has_unrolled
}

/// Whether there is a loop that `unroll_known` would unroll.
pub(crate) fn has_known<'c: 'a, 'a>(
    context: &'c Context,
    known: &dyn Known<'c, 'a>,
    function: py::Func<'c, 'a>,
    wanted: &dyn Fn(py::GetIter<'c, 'a>) -> bool,
) -> bool {
    first_loop(context, known, function, &worth_it(known, wanted)).is_some()
}

/// Of the loops whose iterators are `wanted`, those with some turns, and not many if nobody asks for
/// them.
fn worth_it<'p, 'c: 'a, 'a>(
    known: &'p dyn Known<'c, 'a>,
    wanted: &'p dyn Fn(py::GetIter<'c, 'a>) -> bool,
) -> impl Fn(py::GetIter<'c, 'a>, &[Item<'c, 'a>]) -> bool + 'p {
    move |iterator, items| {
        let is_asked_for = || {
            let call = py::Call::defining(iterator.iterable());
            let name = call.and_then(|call| known.name(call.callee()));
            matches!(name.as_deref(), Some(LITERAL_UNROLL | "builtins.range"))
        };
        !items.is_empty() && (items.len() <= MOST_ITEMS || is_asked_for()) && wanted(iterator)
    }
}

fn unroll_first<'c: 'a, 'a>(
    context: &'c Context,
    known: &dyn Known<'c, 'a>,
    function: py::Func<'c, 'a>,
    wanted: Wanted<'_, 'c, 'a>,
) -> bool {
    let Some((turns, iterator, items)) = first_loop(context, known, function, wanted) else {
        return false;
    };
    let builder = Builder::new(context, *function);
    builder.before(*iterator);
    let made: Vec<_> = items
        .iter()
        .map(|item| item.make(context, &builder))
        .collect();
    let unused = iterator.iterable();
    turns.unroll(context, &builder, &made);
    iterator.erase();
    erase_made(unused);
    erase_unreachable(function);
    true
}

/// Erases what was made for the loop alone: calls of `enumerate` and `zip` too.
fn erase_made<'c: 'a, 'a>(value: Value<'c, 'a>) {
    match py::Call::defining(value).filter(|_| value.users().is_empty()) {
        Some(call) => {
            let (callee, arguments) = (call.callee(), call.args());
            call.erase();
            erase_known([callee]);
            arguments.into_iter().for_each(erase_made);
        }
        None => erase_known([value]),
    }
}

type Found<'c, 'a> = (Loop<'c, 'a>, py::GetIter<'c, 'a>, Vec<Item<'c, 'a>>);

/// Which loops are unrolled, by their iterators and items.
type Wanted<'p, 'c, 'a> = &'p dyn Fn(py::GetIter<'c, 'a>, &[Item<'c, 'a>]) -> bool;

fn first_loop<'c: 'a, 'a>(
    context: &'c Context,
    known: &dyn Known<'c, 'a>,
    function: py::Func<'c, 'a>,
    wanted: Wanted<'_, 'c, 'a>,
) -> Option<Found<'c, 'a>> {
    let mut iterators = function.nested_ops::<py::GetIter>().into_iter();
    iterators.find_map(|iterator| {
        let items = items(context, known, iterator.iterable())?;
        if !wanted(iterator, &items) {
            return None;
        }
        Some((Loop::of(function, iterator)?, iterator, items))
    })
}

/// Whether two of the types are known to differ.
fn are_several(kinds: &[Kind]) -> bool {
    let known: Vec<_> = kinds.iter().filter(|kind| !kind.is_unknown()).collect();
    known.windows(2).any(|pair| pair[0] != pair[1])
}
