//! `py-literal-unroll`: loops over `literal_unroll(items)` become their turns.
//!
//! Numba's `LiteralUnroll`: the items may have different types, so each turn is typed by itself.
//! [`unrolling`](super::unrolling) copies the blocks of the loop for each item.

use super::{
    bindings::{Bindings, erase_known},
    blocks::erase_unreachable,
    fixup_args::argument_type,
    unrolling::Loop,
};
use crate::{
    infra::{
        AttributeExt, BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, Report,
        Severity, StatisticSpec, ValueExt, ops::py,
    },
    types::tuples,
};
use melior::ir::{Attribute, OperationRef, Value, operation::OperationLike};

/// The name of the function in our module.
const NAME: &str = "literal_unroll";

/// `literal_unroll`.
pub static PASS: PassSpec = PassSpec {
    description: "A `for` loop over `literal_unroll` of a tuple whose length is known, or of a list \
                  of constants, becomes a copy of its body for each item. What is not known to be \
                  one yet is left to inference, which knows the types of all values.",
    dialects: &["py", "cf"],
    statistics: &[StatisticSpec::new("unrolled", "loops that were unrolled")],
    ..PassSpec::new(
        "py-literal-unroll",
        "unroll loops over literal_unroll()",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let bindings = Bindings::read(cx.context(), root);
    if !bindings.mentions(NAME) {
        return Ok(());
    }
    let operations = root
        .nested_blocks()
        .into_iter()
        .flat_map(BlockExt::operation_list);
    for function in operations.filter_map(py::Func::of) {
        // A copy of a loop in a loop is a loop of its own.
        while unroll_one(cx, &bindings, function)? {
            erase_unreachable(function);
            cx.bump("unrolled", 1);
        }
    }
    Ok(())
}

/// Unrolls one loop; whether there was one whose items are known.
fn unroll_one<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    bindings: &Bindings<'c, 'a>,
    function: py::Func<'c, 'a>,
) -> PassResult<bool> {
    for call in function.nested_ops::<py::Call>() {
        if bindings.is_ours(call.callee(), NAME) && unroll(cx, bindings, function, call)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn unroll<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    bindings: &Bindings<'c, 'a>,
    function: py::Func<'c, 'a>,
    call: py::Call<'c, 'a>,
) -> PassResult<bool> {
    let location = call.location();
    let refuse = |message: &str, hint: &str| {
        let report = Report::new(Severity::Error, location, message);
        Err(cx.fail(report.note(location, format!("hint: {hint}"))))
    };
    let callee = call.callee();
    let &[container] = call.args().as_slice() else {
        return refuse("literal_unroll takes one argument", "pass a tuple");
    };
    let Some(Head { iterator, counted }) = Head::of(bindings, call) else {
        let message = "the result of literal_unroll is used for something else than one for loop";
        return refuse(message, "write it in the head of the loop");
    };
    let Some(turns) = Loop::of(function, iterator) else {
        return refuse(
            "this loop over literal_unroll can't be unrolled",
            "let the loop begin right at the for statement, outside of any try block",
        );
    };
    let builder = Builder::new(cx.context(), *function);
    builder.before(*iterator);
    let Some(items) = items(&builder, bindings, container) else {
        return Ok(false);
    };
    let number = |at| py::Constant::create(&builder, bindings.int(at as i64)).result();
    let items = match counted {
        Some(_) => (0..items.len()).map(number).collect(),
        None => items,
    };
    turns.unroll(cx.context(), &builder, &items);
    iterator.erase();
    for of in counted.into_iter().flatten() {
        let function = of.callee();
        of.erase();
        erase_known([function]);
    }
    call.erase();
    if let Some(list) = py::BuildList::defining(container) {
        erase_list(list);
        erase_known([callee]);
    } else {
        erase_known([callee, container]);
    }
    Ok(true)
}

/// The head of a loop.
struct Head<'c, 'a> {
    iterator: py::GetIter<'c, 'a>,
    /// The calls of `range` and `len`, the last one first, where the loop goes over
    /// `range(len(literal_unroll(…)))`.
    counted: Option<[py::Call<'c, 'a>; 2]>,
}

impl<'c: 'a, 'a> Head<'c, 'a> {
    /// The only use of a call of `literal_unroll`.
    fn of(bindings: &Bindings<'c, 'a>, call: py::Call<'c, 'a>) -> Option<Self> {
        let only_user = |call: py::Call<'c, 'a>| match call.result().users().as_slice() {
            [user] => Some(*user),
            _ => None,
        };
        let user = only_user(call)?;
        if let Some(iterator) = py::GetIter::of(user) {
            return Some(Self {
                iterator,
                counted: None,
            });
        }
        let calls = |user, name| {
            let call = py::Call::of(user)?;
            let is_it = bindings.name_of(call.callee()).as_deref() == Some(name);
            (is_it && call.args().len() == 1).then_some(call)
        };
        let len = calls(user, "builtins.len")?;
        let range = calls(only_user(len)?, "builtins.range")?;
        Some(Self {
            iterator: py::GetIter::of(only_user(range)?)?,
            counted: Some([range, len]),
        })
    }
}

/// The items, as values that are there before the loop.
fn items<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    bindings: &Bindings<'c, 'a>,
    container: Value<'c, 'a>,
) -> Option<Vec<Value<'c, 'a>>> {
    let constant = |value: Attribute<'c>| py::Constant::create(builder, value).result();
    if let Some(tuple) = py::BuildTuple::defining(container) {
        return Some(tuple.elements());
    }
    if let Some(list) = list_of_constants(bindings, container) {
        return Some(list.into_iter().map(constant).collect());
    }
    if let Some(elements) = bindings.constant(container) {
        return Some(elements.elements()?.into_iter().map(constant).collect());
    }
    let count = match bindings.tuple(container) {
        Some(items) => items.len(),
        None => tuples::elements(argument_type(container)?)?.len(),
    };
    let item = |index| {
        let index = constant(bindings.int(index as i64));
        py::GetItem::create(builder, container, index).result()
    };
    Some((0..count).map(item).collect())
}

/// A list of constants that nothing changes: built from them, or extended by a constant tuple as the
/// compiler of Python does it.
fn list_of_constants<'c: 'a, 'a>(
    bindings: &Bindings<'c, 'a>,
    list: Value<'c, 'a>,
) -> Option<Vec<Attribute<'c>>> {
    let built = py::BuildList::defining(list)?;
    if !list
        .users()
        .iter()
        .all(|user| only_reads(bindings, list, *user))
    {
        return None;
    }
    let mut items: Vec<_> = built
        .elements()
        .into_iter()
        .map(|item| bindings.constant(item))
        .collect::<Option<_>>()?;
    for extend in list.users().into_iter().filter_map(py::Extend::of) {
        if extend.container() == list {
            items.extend(bindings.constant(extend.item())?.elements()?);
        }
    }
    Some(items)
}

/// Whether an operation builds a list or reads it, and gives it to nothing that may change it.
fn only_reads<'c: 'a, 'a>(
    bindings: &Bindings<'c, 'a>,
    list: Value<'c, 'a>,
    user: OperationRef<'c, 'a>,
) -> bool {
    if let Some(call) = py::Call::of(user) {
        let is_len = bindings.name_of(call.callee()).as_deref() == Some("builtins.len");
        return is_len || bindings.is_ours(call.callee(), NAME);
    }
    let builds = py::Extend::of(user).is_some_and(|extend| extend.container() == list);
    builds
        || user.isa::<py::GetIter>()
        || user.isa::<py::GetItem>()
        || user.isa::<py::Contains>()
        || user.isa::<py::Compare>()
        || user.isa::<py::Is>()
        || user.isa::<py::Return>()
}

/// Removes a list that was only built for the loop.
fn erase_list(list: py::BuildList) {
    let users = list.result().distinct_users();
    if users.iter().all(|user| user.isa::<py::Extend>()) {
        users.into_iter().for_each(OperationExt::erase);
        list.erase();
    }
}
