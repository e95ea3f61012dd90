//! Calls of overloads that the host has registered.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{optional, questions},
        issue::{Stop, Typing, stop},
        resolver::{Resolution, Resolver, load_long_tuples, resolver},
        rules,
        val::{Val, values},
    },
    infra::{
        BlockExt, OperationExt, ValueExt,
        ops::{py, typed},
    },
    types::{
        display::display,
        iteration::is_empty,
        lists::list_of,
        sequences::{is_container, is_list, is_open_container, is_own, may_define_operators},
        tables::Table,
    },
};
use melior::ir::{OperationRef, Type, Value};
use pyopt_dialects::{
    enums::{PyBinaryKind, PyCompareKind, PyUnaryKind},
    typed::TypedType,
};

/// What the names of functions begin with that the host's package defines by overloads.
const PACKAGE: &str = "pyopt.";

/// The function whose overloads say what to iterate over.
const ITER: &str = "builtins.iter";

/// Whether a name has overloads.
pub(crate) fn knows(name: &str) -> bool {
    resolver().is_some_and(|resolver| resolver.knows(name))
}

/// Whether a method has overloads, of whatever types.
pub(crate) fn knows_method(name: &str) -> bool {
    resolver().is_some() && knows(&method(name))
}

/// Whether overloads give values of an operand's type a method, for whatever arguments; or else why not.
pub(crate) fn has_method<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
    name: &str,
) -> Typing<Result<(), String>> {
    let question = format!("has-{}", method(name));
    let arguments = Arguments::new(&[operand], None);
    let Some(resolver) = asked(e, &question, &arguments) else {
        return Ok(Err(String::new()));
    };
    Ok(call(e, resolver, &question, &arguments)?.map(drop))
}

/// What an error says of overloads that were asked and have nothing, each with its reason.
pub(crate) fn asked_first(declined: &str) -> String {
    match declined {
        "" => String::new(),
        reasons => format!("; overloads were asked first: {reasons}"),
    }
}

/// Takes note that a method was called that has no overloads, where somebody wants to know.
pub(crate) fn note_method<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    receiver: Val<'c, 'a>,
    name: &str,
    arguments: &Arguments<'c, 'a>,
) {
    if resolver().is_some_and(Resolver::takes_notes) {
        asked(e, &method(name), &with_receiver(receiver, arguments));
    }
}

fn with_receiver<'c, 'a>(
    receiver: Val<'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Arguments<'c, 'a> {
    let mut all = arguments.clone();
    all.positional.insert(0, receiver);
    all
}

/// Gives the attribute that overloads give values of an operand's type; `None` if there is none.
pub(crate) fn attribute<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
    name: &str,
) -> Typing<Option<Val<'c, 'a>>> {
    first(e, [(attribute_name(name), vec![operand])])
}

/// The name under which the overloads of an attribute are known.
fn attribute_name(name: &str) -> String {
    format!("attribute:{name}")
}

/// The name under which the overloads of a method are known.
fn method(name: &str) -> String {
    format!("method:{name}")
}

/// The resolver, if it has overloads of a name and a call is to be asked of it. Functions of the library ask
/// about values of the program's classes alone, and for what the package makes: others they treat alike in all
/// programs, whatever the host has registered by then.
fn asked<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    arguments: &Arguments<'c, 'a>,
) -> Option<&'static dyn Resolver> {
    let resolver = resolver()?;
    if e.is_library()
        && !name.starts_with(PACKAGE)
        && !arguments
            .values()
            .any(|value| may_define_operators(value.ty))
    {
        return None;
    }
    if resolver.knows(name) {
        return Some(resolver);
    }
    if resolver.takes_notes() {
        questions::note(e, resolver, name, arguments);
    }
    None
}

/// Whether overloads give a value of a type of the host's own a hash.
pub(crate) fn is_hashable<'c>(e: &mut Emit<'_, 'c, '_>, ty: Type<'c>) -> Typing<bool> {
    const HASH: &str = "builtins.hash";
    let operand = Val::new(ty, None);
    if !is_own(ty) {
        return Ok(false);
    }
    let arguments = Arguments::new(&[operand], None);
    let Some(resolver) = asked(e, HASH, &arguments) else {
        return Ok(false);
    };
    let found = find(e, resolver, HASH, &arguments, |ty| ty)?;
    Ok(!matches!(found, Resolution::Declined(_)))
}

/// Gives the hash that the class of a named tuple has for it; `None` for the hash of its items.
pub(crate) fn hash_of_named<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    key: Val<'c, 'a>,
) -> Typing<Option<Val<'c, 'a>>> {
    if is_own(key.ty) || !may_define_operators(key.ty) {
        return Ok(None);
    }
    first(e, [("builtins.hash".to_owned(), vec![key])])
}

/// Calls the overload of a name for these arguments; if there is none, what stands in its place. An
/// error of that says why no overload was chosen.
pub(crate) fn call_or<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    arguments: &Arguments<'c, 'a>,
    otherwise: impl FnOnce(&mut Emit<'_, 'c, 'a>) -> Typing<Val<'c, 'a>>,
) -> Typing<Val<'c, 'a>> {
    let Some(resolver) = asked(e, name, arguments) else {
        return otherwise(e);
    };
    match call(e, resolver, name, arguments)? {
        Ok(result) => Ok(result),
        Err(declined) => otherwise(e).map_err(|stop| match stop {
            // What the package defines in Python is nothing but its overloads: their reason is the error.
            Stop::Issue(mut issue) if name.starts_with(PACKAGE) && !declined.is_empty() => {
                show_containers(e, arguments);
                issue.message = declined;
                Stop::Issue(issue)
            }
            Stop::Issue(mut issue) => {
                issue.message += &asked_first(&declined);
                Stop::Issue(issue)
            }
            stop => stop,
        }),
    }
}

/// As [`call_or`], of a method.
pub(crate) fn call_method_or<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    receiver: Val<'c, 'a>,
    name: &str,
    arguments: &Arguments<'c, 'a>,
    otherwise: impl FnOnce(&mut Emit<'_, 'c, 'a>) -> Typing<Val<'c, 'a>>,
) -> Typing<Val<'c, 'a>> {
    close_container(e, receiver, name, &arguments.positional)?;
    call_or(
        e,
        &method(name),
        &with_receiver(receiver, arguments),
        otherwise,
    )
}

/// Gives what the overload of an operation of Python's is for its operands; `None` if there is none.
pub(crate) fn operation<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operation: py::Op<'c, 'a>,
    operands: &[Val<'c, 'a>],
) -> Typing<Option<Val<'c, 'a>>> {
    if resolver().is_none() {
        return Ok(None);
    }
    if let py::Op::Compare(compare) = operation
        && matches!(compare.kind(), PyCompareKind::Eq | PyCompareKind::Ne)
        && operands
            .iter()
            .any(|operand| is_optional_of_class(operand.ty))
    {
        // Values are compared where there are some.
        return Ok(None);
    }
    let name = match operation {
        py::Op::GetItem(_) => "__getitem__",
        py::Op::SetItem(_) => "__setitem__",
        py::Op::Inplace(_) => "__iadd__",
        _ => "",
    };
    if let [receiver, others @ ..] = operands {
        close_container(e, *receiver, name, others)?;
    }
    first(e, functions_of(operation, operands))
}

/// Whether a value may be None, and else is of a class that may define operators.
fn is_optional_of_class(ty: Type) -> bool {
    matches!(TypedType::from(ty), TypedType::Optional(value) if may_define_operators(value))
}

/// Wishes that a typed container of which nobody knows yet what it holds is one for what a method puts in.
fn close_container<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    receiver: Val<'c, 'a>,
    name: &str,
    operands: &[Val<'c, 'a>],
) -> Typing<()> {
    if !is_open_container(receiver.ty) || e.is_emitting() {
        return Ok(());
    }
    if e.awaits_wish(receiver) {
        return Err(Stop::Unknown);
    }
    let question = method(&format!("&close-{name}"));
    match first(e, [(question, [&[receiver], operands].concat())]) {
        Ok(Some(closed)) => {
            e.wish(receiver, closed.ty);
            Err(Stop::Unknown)
        }
        Ok(None) => Ok(()),
        // What is put in first decides, also where it takes longer to find out what that is.
        Err(Stop::Unknown) => {
            e.await_wish(receiver);
            Err(Stop::Unknown)
        }
        Err(stop) => Err(stop),
    }
}

/// Has later uses of a typed container without types wait for one of which something isn't known yet: what is put
/// in first decides.
pub(crate) fn await_contents<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, container: Val<'c, 'a>) {
    if is_open_container(container.ty) && !e.is_emitting() {
        e.await_wish(container);
    }
}

/// Gives the type of a typed container without types, once it is known what the item at a key is.
pub(crate) fn closed_by_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    container: Type<'c>,
    key: Type<'c>,
    item: Type<'c>,
) -> Option<Type<'c>> {
    if !is_open_container(container) || e.is_emitting() {
        return None;
    }
    let operands = [container, key, item].map(|ty| Val::new(ty, None));
    let question = method("&close-__getitem__");
    let closed = first(e, [(question, operands.to_vec())]).ok()??;
    Some(closed.ty)
}

/// Gives the result of a comparison that has an overload for its operands, of which one is of a class of the
/// program's; `None` if there is none. This is what items of tuples and lists are compared by.
pub(crate) fn comparison<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Option<Val<'c, 'a>>> {
    if ![lhs, rhs].iter().any(|side| may_define_operators(side.ty)) {
        return Ok(None);
    }
    first(e, [(format!("operator.{}", kind.name()), vec![lhs, rhs])])
}

/// Gives the truth value that the overload of `bool` or `operator.truth` finds; `None` if there is none.
pub(crate) fn truth<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
) -> Typing<Option<Val<'c, 'a>>> {
    if resolver().is_none() || operand.ty == e.i1() {
        return Ok(None);
    }
    let names = ["builtins.bool", "operator.truth"];
    first(e, names.map(|name| (name.to_owned(), vec![operand])))
}

/// Gives the length that the overload of `len` finds; `None` if there is none.
pub(crate) fn length<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
) -> Typing<Option<Val<'c, 'a>>> {
    if resolver().is_none() {
        return Ok(None);
    }
    first(e, [("builtins.len".to_owned(), vec![operand])])
}

/// Gives what to iterate over instead of a value of one of the host's own types, by the overload of `iter`;
/// `None` if there is none.
pub(crate) fn iterable<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
) -> Typing<Option<Val<'c, 'a>>> {
    if resolver().is_none() || !is_own(operand.ty) {
        return Ok(None);
    }
    let found = first(e, [(ITER.to_owned(), vec![operand])])?;
    match found {
        Some(found) if found.ty == operand.ty => Err(Stop::issue(format!(
            "what iter() gives of {} is of that type again, and can't be iterated over",
            display(operand.ty)
        ))),
        found => Ok(found),
    }
}

/// Whether a function of Python's or NumPy's goes through the items of its arguments.
fn goes_through_items(name: &str) -> bool {
    const FUNCTIONS: &[&str] = &[
        "builtins.all",
        "builtins.any",
        "builtins.enumerate",
        "builtins.filter",
        "builtins.list",
        "builtins.map",
        "builtins.max",
        "builtins.min",
        "builtins.reversed",
        "builtins.set",
        "builtins.sorted",
        "builtins.sum",
        "builtins.tuple",
        "builtins.zip",
        "functools.reduce",
        "heapq.merge",
        "heapq.nlargest",
        "heapq.nsmallest",
        "numpy.array",
        "numpy.asarray",
    ];
    FUNCTIONS.binary_search(&name).is_ok() || name.starts_with("itertools.")
}

/// Gives the arguments of a function that goes through items what the overloads of `iter` have for values of
/// the host's own types.
pub(crate) fn with_iterables<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    mut arguments: Arguments<'c, 'a>,
) -> Typing<Arguments<'c, 'a>> {
    if goes_through_items(name) {
        for value in arguments.values_mut() {
            *value = iterable(e, *value)?.unwrap_or(*value);
        }
    }
    Ok(arguments)
}

/// Makes a tuple of what has any number of items of one type; `None` of what hasn't.
pub(crate) fn long_tuple<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    items: Val<'c, 'a>,
) -> Typing<Option<Val<'c, 'a>>> {
    of_long_tuples(e, "of", items)
}

/// `zip(*rows)` of so many rows as there are at run time; `None` where their items have several types.
pub(crate) fn columns<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    rows: Val<'c, 'a>,
) -> Typing<Option<Val<'c, 'a>>> {
    of_long_tuples(e, "columns", rows)
}

/// `zip(*rows)` of rows whose items have several types, where the columns are unpacked at once.
pub(crate) fn unpacked_columns<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    rows: Val<'c, 'a>,
) -> Typing<Option<Val<'c, 'a>>> {
    of_long_tuples(e, "unpacked_columns", rows)
}

/// What a function of the package gives that makes tuples of any length.
fn of_long_tuples<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    operand: Val<'c, 'a>,
) -> Typing<Option<Val<'c, 'a>>> {
    load_long_tuples();
    first(e, [(format!("{PACKAGE}long_tuples.{name}"), vec![operand])])
}

/// Gives an operand as a value of another type by the code that the host has for that conversion; `None`
/// if there is none.
pub(crate) fn cast<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
    ty: Type<'c>,
) -> Typing<Option<Val<'c, 'a>>> {
    if resolver().is_none() {
        return Ok(None);
    }
    let found = first(e, [(format!("cast:{ty}"), vec![operand])])?;
    Ok(found.filter(|converted| converted.ty == ty))
}

/// Calls the first function that has an overload for its arguments.
fn first<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    candidates: impl IntoIterator<Item = (String, Vec<Val<'c, 'a>>)>,
) -> Typing<Option<Val<'c, 'a>>> {
    for (name, operands) in candidates {
        let arguments = Arguments::new(&operands, None);
        if let Some(resolver) = asked(e, &name, &arguments)
            && let Ok(result) = call(e, resolver, &name, &arguments)?
        {
            return Ok(Some(result));
        }
    }
    Ok(None)
}

/// An error of an operation on values of the host's own types, with what the overloads that stand for it say
/// against the operands.
pub(crate) fn explained<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operation: py::Op<'c, 'a>,
    operands: &[Val<'c, 'a>],
    stop: Stop,
) -> Typing<Stop> {
    let Stop::Issue(mut issue) = stop else {
        return Ok(stop);
    };
    let is_own = operands
        .iter()
        .any(|operand| may_define_operators(operand.ty));
    if is_own || matches!(operation, py::Op::SetAttr(_)) {
        let candidates = match operation {
            py::Op::GetIter(_) => vec![(ITER.to_owned(), operands.to_vec())],
            _ => functions_of(operation, operands),
        };
        for (name, operands) in candidates {
            let arguments = Arguments::new(&operands, None);
            if let Some(resolver) = asked(e, &name, &arguments)
                && let Err(reasons) = call(e, resolver, &name, &arguments)?
                && !reasons.is_empty()
            {
                issue.message += &asked_first(&reasons);
                break;
            }
        }
    }
    Ok(Stop::Issue(issue))
}

/// The functions whose overloads stand for an operation, in the order in which they are asked, each
/// with its arguments.
fn functions_of<'c, 'a>(
    operation: py::Op<'c, 'a>,
    operands: &[Val<'c, 'a>],
) -> Vec<(String, Vec<Val<'c, 'a>>)> {
    let of = |name: &str| vec![(format!("operator.{name}"), operands.to_vec())];
    let mut reversed = operands.to_vec();
    reversed.reverse();
    match operation {
        py::Op::Unary(unary) => of(unary_name(unary.kind())),
        py::Op::Binary(binary) => of(binary_name(binary.kind())),
        py::Op::Inplace(inplace) => {
            let name = binary_name(inplace.kind());
            [of(&format!("i{}", name.trim_end_matches('_'))), of(name)].concat()
        }
        py::Op::Compare(compare) => of(compare.kind().name()),
        // Whether the answer is negated is the caller's matter.
        py::Op::Contains(_) => vec![("operator.contains".to_owned(), reversed)],
        py::Op::Is(_) => of("is_"),
        py::Op::GetAttr(get) => vec![(attribute_name(get.name()), operands.to_vec())],
        py::Op::SetAttr(set) => {
            let mut names = vec![format!("setattribute:{}", set.name())];
            if is_nobody_elses(set.value()) {
                names.push(format!("setattribute:&fresh-{}", set.name()));
            }
            let names = names.into_iter();
            names.map(|name| (name, operands.to_vec())).collect()
        }
        py::Op::GetItem(_) => of("getitem"),
        py::Op::SetItem(_) => of("setitem"),
        py::Op::DelItem(_) => of("delitem"),
        _ => Vec::new(),
    }
}

/// Whether a value is a container that is written where it is used, once: nobody can tell it from a copy.
fn is_nobody_elses<'c: 'a, 'a>(value: Value<'c, 'a>) -> bool {
    let is_display = value.defining_op().is_some_and(|made| {
        made.isa::<py::BuildList>() || made.isa::<py::BuildMap>() || made.isa::<py::BuildSet>()
    });
    let is_filled_by = |user: &OperationRef<'c, 'a>| {
        py::Extend::of(*user).is_some_and(|filled| filled.container() == value)
            || py::MapAdd::of(*user).is_some_and(|filled| filled.map() == value)
    };
    let others = || {
        let users = value.users().into_iter();
        users.filter(move |user| !is_filled_by(user)).count()
    };
    is_display && others() == 1
}

/// Checks what instances of the program's classes are made of: see [`check_part`].
pub(crate) fn check_parts<'c: 'a, 'a>(
    e: &Emit<'_, 'c, 'a>,
    call: OperationRef<'c, 'a>,
    callee: Val<'c, 'a>,
    arguments: &[Val<'c, 'a>],
) -> Typing<()> {
    let TypedType::Named(class) = TypedType::from(callee.ty) else {
        return Ok(());
    };
    let instances = format!("{class}.<instances>");
    if !e.is_emitting() || e.program.binding(&instances).is_none() {
        return Ok(());
    }
    let written = call.operand_values().into_iter().skip(1);
    written
        .zip(arguments)
        .try_for_each(|(written, argument)| check_part(e, written, *argument))
}

/// Refuses a container that nothing was put into and that has another name where it becomes a field: what is put
/// into the field's container the other one, which has no type, wouldn't get.
pub(crate) fn check_part<'c: 'a, 'a>(
    e: &Emit<'_, 'c, 'a>,
    written: Value<'c, 'a>,
    part: Val<'c, 'a>,
) -> Typing<()> {
    let held = match TypedType::from(part.ty) {
        TypedType::Sequence(items, _) if is_list(part.ty) => items,
        _ => part.ty,
    };
    let is_empty = Table::of(held).map_or_else(|| is_empty(held), Table::is_empty);
    let is_display = written.defining_op().is_some_and(|made| {
        let is_call = made.isa::<py::Call>() && made.operand_values().len() == 1;
        is_call
            || made.isa::<py::BuildList>()
            || made.isa::<py::BuildMap>()
            || made.isa::<py::BuildSet>()
    });
    if !e.is_emitting() || !is_empty || !is_display || written.users().len() < 2 {
        return Ok(());
    }
    Err(Stop::issue(
        "nothing is put into this container by its own name, which would be another one than the field's",
    )
    .hint("write the empty container where it is passed or stored"))
}

const fn unary_name(kind: PyUnaryKind) -> &'static str {
    match kind {
        PyUnaryKind::Neg => "neg",
        PyUnaryKind::Pos => "pos",
        PyUnaryKind::Invert => "invert",
        PyUnaryKind::Not => "not_",
    }
}

const fn binary_name(kind: PyBinaryKind) -> &'static str {
    match kind {
        PyBinaryKind::Add => "add",
        PyBinaryKind::Sub => "sub",
        PyBinaryKind::Mul => "mul",
        PyBinaryKind::TrueDiv => "truediv",
        PyBinaryKind::FloorDiv => "floordiv",
        PyBinaryKind::Mod => "mod",
        PyBinaryKind::Pow => "pow",
        PyBinaryKind::MatMul => "matmul",
        PyBinaryKind::And => "and_",
        PyBinaryKind::Or => "or_",
        PyBinaryKind::Xor => "xor",
        PyBinaryKind::LShift => "lshift",
        PyBinaryKind::RShift => "rshift",
    }
}

/// Calls the overload; the inner error says why there is none.
fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    resolver: &dyn Resolver,
    name: &str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Result<Val<'c, 'a>, String>> {
    let mut arguments = arguments.clone();
    let mut resolution = find(e, resolver, name, &arguments, |ty| ty)?;
    // An overload may take None or a value; one that doesn't gets the value. Where it is what the first argument
    // has that is asked for, None may be meant by the others.
    let others = || arguments.values().skip(1).any(questions::is_optional);
    if let (Resolution::Declined(_), Some(first)) =
        (&resolution, arguments.positional.first().copied())
        && questions::is_optional(&first)
        && others()
    {
        let mut known = arguments.clone();
        known.positional[0].ty = questions::without_none(first.ty);
        let found = find(e, resolver, name, &known, |ty| ty)?;
        if !matches!(found, Resolution::Declined(_)) {
            arguments.positional[0] = optional::unwrap(e, first);
            resolution = found;
        }
    }
    if let Resolution::Declined(_) = resolution
        && arguments.values().any(questions::is_optional)
    {
        resolution = find(e, resolver, name, &arguments, questions::without_none)?;
        if !matches!(resolution, Resolution::Declined(_)) {
            optional::unwrap_arguments(e, &mut arguments);
        }
    }
    match resolution {
        Resolution::Body {
            symbol,
            of_literals,
        } => {
            arguments.of_literals = of_literals;
            rules::call_function(e, &symbol, &arguments).map(Ok)
        }
        Resolution::Native {
            symbol,
            arguments: types,
            result,
        } => call_native(e, &symbol, &arguments, &types, &result).map(Ok),
        Resolution::Declined(reason) => Ok(Err(reason)),
    }
}

/// Has an error show what gave typed containers their types, which what is put in doesn't fit.
fn show_containers<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) {
    // No typed container is a list.
    let other = list_of(e.context(), e.type_of(TypedType::None));
    for value in arguments.values().filter(|value| is_container(value.ty)) {
        e.clash(*value, other);
    }
}

/// Calls the function of an intrinsic.
fn call_native<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    symbol: &str,
    arguments: &Arguments<'c, 'a>,
    types: &[(usize, String)],
    result: &str,
) -> Typing<Val<'c, 'a>> {
    let parse = |text: &str| {
        Type::parse(e.context(), text)
            .ok_or_else(|| Stop::issue(format!("'{text}' of {symbol} is no type")))
    };
    let types = types
        .iter()
        .map(|(at, text)| Ok((*at, parse(text)?)))
        .collect::<Typing<Vec<_>>>()?;
    let result = parse(result)?;
    let given: Vec<_> = arguments.values().copied().collect();
    let inputs = types
        .into_iter()
        .map(|(at, ty)| e.coerce(given[at], ty))
        .collect::<Typing<Vec<_>>>()?;
    Ok(e.op(result, |b| {
        typed::Call::create(b, symbol, &values(&inputs), &[], &[result])
    }))
}

fn find<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    resolver: &dyn Resolver,
    name: &str,
    arguments: &Arguments<'c, 'a>,
    seen: impl Fn(Type<'c>) -> Type<'c>,
) -> Typing<Resolution> {
    let arguments = questions::describe(arguments, seen);
    let key = format!("{name}{arguments:?}");
    if let Some(known) = e.program.overloads.get(&key) {
        return Ok(known.clone());
    }
    let body = e.program.body();
    let before = body.operation_list().len();
    let resolution = resolver
        .resolve(e.context(), body, name, &arguments)
        .map_err(|reason| Stop::issue(format!("the overload of {name} failed: {reason}")))?;
    match is_known(e, &resolution) {
        // What is known of other values than these has led to the same function.
        true => {
            let again = e.program.body().operation_list().split_off(before);
            again.into_iter().for_each(OperationExt::erase);
        }
        false => adopt(e, before)?,
    }
    e.program.overloads.insert(key, resolution.clone());
    Ok(resolution)
}

/// Whether what was chosen is a function of the program already.
fn is_known(e: &Emit, resolution: &Resolution) -> bool {
    match resolution {
        Resolution::Body { symbol, .. } => e.program.function(symbol).is_some(),
        Resolution::Native { symbol, .. } => e.program.overloads.values().any(
            |known| matches!(known, Resolution::Native { symbol: other, .. } if other == symbol),
        ),
        Resolution::Declined(_) => false,
    }
}

/// Takes over the functions and bindings behind the first operations of the module.
fn adopt(e: &mut Emit, first: usize) -> Typing<()> {
    for operation in e.program.body().operation_list().split_off(first) {
        match py::Op::of(operation) {
            Some(py::Op::Binding(binding)) => {
                e.program.add_binding(binding.sym_name(), binding.value());
            }
            Some(py::Op::Func(function)) => {
                let symbol = function.sym_name();
                // A function that others call, too, is one function of the program.
                if e.program.function(symbol).is_some() {
                    operation.erase();
                } else if e.program.enter_function(operation, None).is_none() {
                    return stop(format!("'{symbol}' is malformed"));
                }
            }
            _ => {}
        }
    }
    Ok(())
}
