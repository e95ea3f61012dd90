//! What each operation of the `py` dialect means on typed values.

use super::{
    access, arrays, calls, closures, constants,
    emit::{Emit, Val},
    exceptions,
    flow::Slot,
    functions::{self, Arguments},
    generators,
    issue::{Stop, Typing, stop},
    iteration, library, lists, operators,
    operators::kind_of,
    optional, records, tuples,
};
use crate::infra::{OperationAttributes, OperationExt, SourcePosition, ValueExt};
use melior::ir::{Location, OperationRef, operation::OperationLike};
use pyopt_dialects::{
    enums::{PyBinaryKind, PyCompareKind, PyUnaryKind},
    typed::{MAX_RANK, TypedType, array_type},
};

/// The operations that look into their operands: an optional must have a value there.
const TAKES_VALUES: &[&str] = &[
    "py.getattr",
    "py.setattr",
    "py.getitem",
    "py.setitem",
    "py.delitem",
    "py.unpack",
    "py.get_iter",
];

/// The results of an operation whose operands are known.
pub(crate) fn operation<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operation: OperationRef<'c, 'a>,
    operands: &[Val<'c, 'a>],
) -> Typing<Vec<Val<'c, 'a>>> {
    let kind = operation.attr("kind");
    let negated = operation.flag_attr("negated");
    let attribute = operation.str_attr("name").unwrap_or_default();
    let taken;
    let operands = if TAKES_VALUES.contains(&operation.full_name()) {
        taken = optional::unwrap_all(e, operands);
        &taken
    } else {
        operands
    };
    let result = match (operation.full_name(), operands) {
        ("py.constant" | "arith.constant", []) => {
            let value = operation.attr("value").ok_or(Stop::Unknown)?;
            constants::constant(e, value)?
        }
        ("py.global", []) => global(e, operation)?,
        ("py.new_reference", &[value]) => value,
        ("py.load_assertion_error", []) => functions::named(e, "builtins.AssertionError")?,
        ("py.unary", &[operand]) => {
            operators::unary(e, kind_of(kind, PyUnaryKind::from_attribute), operand)?
        }
        ("py.binary", &[lhs, rhs]) => {
            operators::binary(e, kind_of(kind, PyBinaryKind::from_attribute), lhs, rhs)?
        }
        ("py.inplace", &[lhs, rhs]) => {
            operators::inplace(e, kind_of(kind, PyBinaryKind::from_attribute), lhs, rhs)?
        }
        ("py.compare", &[lhs, rhs]) => {
            operators::compare(e, kind_of(kind, PyCompareKind::from_attribute), lhs, rhs)?
        }
        ("py.contains", &[item, container]) => {
            let found = contains(e, item, container)?;
            if negated { e.not(found) } else { found }
        }
        ("py.is", &[lhs, rhs]) => operators::identity(e, negated, lhs, rhs)?,
        // The exception itself is what `raise` finds again: see `exceptions::Handled`.
        ("py.push_exc_info", &[_]) => e.none(),
        ("py.exc_match", &[exception, class]) => exceptions::matches(e, exception, class)?,
        ("py.truth", &[operand]) => operators::truth(e, operand)?,
        ("py.getattr", &[object]) => access::attribute(e, object, attribute)?,
        ("py.getitem", &[object, index]) => access::item(e, object, index)?,
        ("py.setitem", &[object, index, value]) => {
            access::set_item(e, object, index, value)?;
            return Ok(Vec::new());
        }
        ("py.delitem", &[object, index]) if lists::is_any_list(object.ty) => {
            lists::delete_item(e, object, index)?;
            return Ok(Vec::new());
        }
        ("py.setattr", &[object, value]) if records::has_field(object, attribute) => {
            records::set_field(e, object, attribute, value)?;
            return Ok(Vec::new());
        }
        ("py.setattr", &[object, value]) if arrays::has_part(object, attribute) => {
            arrays::set_part(e, object, attribute, value)?;
            return Ok(Vec::new());
        }
        ("py.slice", &[start, stop, step]) => access::slice(e, start, stop, step)?,
        ("py.call", [callee, arguments @ ..]) => {
            let arguments = Arguments::new(arguments, operation.array_attr("keywords"));
            calls::call(e, *callee, arguments)?
        }
        ("py.make_function", parts) => closures::make(e, operation, parts)?,
        ("py.build_tuple", elements) => e.tuple(elements),
        ("py.unpack", &[sequence]) => {
            return unpack(e, sequence, operation.result_values().len());
        }
        ("py.yield", &[value]) => generators::suspend(e, value)?,
        ("py.get_iter", &[iterable]) => iteration::get_iter(e, iterable)?,
        (name, _) => {
            if name == "py.make_cell" {
                if let Some((maker, refusal)) = closures::refusal_of_cell(operation) {
                    e.location = maker.location();
                    return Err(refusal);
                }
                e.location = first_use(operation);
            }
            return Err(unsupported(name));
        }
    };
    check_rank(result)?;
    Ok(vec![result])
}

/// Refuses arrays that NumPy has none of, here where the line is known.
fn check_rank(result: Val) -> Typing<()> {
    match array_type(result.ty) {
        Some(array) if array.rank > MAX_RANK => stop(format!(
            "an array of more than {MAX_RANK} dimensions, which is as many as NumPy's arrays have"
        )),
        _ => Ok(()),
    }
}

/// Where a cell is used first: it is made before the function's first line.
fn first_use<'c>(cell: OperationRef<'c, '_>) -> Location<'c> {
    let users = cell.result_value(0).users();
    let lines = users.into_iter().filter_map(|user| {
        let position = SourcePosition::of(user.location())?;
        (position.line > 0).then_some((position.line, user.location()))
    });
    lines
        .min_by_key(|(line, _)| *line)
        .map_or(cell.location(), |(_, location)| location)
}

/// What to say of an operation that isn't known.
pub(super) fn unsupported(name: &str) -> Stop {
    let what = match name {
        "py.extend" => "a container that grows",
        "py.build_set" => "a set",
        "py.build_map" | "py.map_add" => "a dict",
        "py.build_string" | "py.format" => "a formatted string",
        "py.make_cell" | "py.load_cell" | "py.store_cell" => {
            "a variable that is shared with an inner function"
        }
        "py.set_global" => "assigning to a global variable",
        "py.setattr" => "assigning to an attribute",
        "py.delattr" | "py.delitem" => "del of an attribute or item",
        "py.import" | "py.import_from" => "import in a function",
        "py.unpack_ex" => "unpacking with a starred target",
        _ => return Stop::issue(format!("'{name}' can't be compiled")),
    };
    let hint = match name {
        "py.extend" => "use a tuple or an array",
        "py.make_cell" | "py.load_cell" | "py.store_cell" => {
            "define the function at module level and pass what it needs as arguments"
        }
        "py.set_global" => "return the value",
        "py.import" | "py.import_from" => "import at module level",
        _ => return Stop::issue(format!("{what} is not supported")),
    };
    Stop::issue(format!("{what} is not supported")).hint(hint)
}

/// What a global name, builtin or free variable means, by the operation that names its binding.
pub(crate) fn global<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operation: OperationRef<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let symbol = operation.symbol_attr("binding").unwrap_or_default();
    if let Some(value) = e.program.binding(symbol) {
        return constants::constant(e, value);
    }
    // A function of the module that has the global's name needs no binding.
    if e.program.function(symbol).is_some() {
        return Ok(e.singleton(TypedType::Function(symbol)));
    }
    if let Some(module) = library::module(symbol) {
        return constants::constant(e, module.to_attribute(e.context()));
    }
    if let Some(source) = library::find(symbol) {
        return Ok(e.singleton(TypedType::Function(source.symbol)));
    }
    let name = symbol.rsplit('.').next().unwrap_or(symbol);
    let builtin = format!("builtins.{name}");
    if functions::is_known(&builtin) {
        return functions::named(e, &builtin);
    }
    stop(format!("name '{name}' is not defined"))
}

/// The value of a local that may have none.
pub(crate) fn check_bound<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operation: OperationRef<'c, 'a>,
    local: Slot<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    const ERROR: &str = "UnboundLocalError";
    let name = operation.str_attr("name").unwrap_or_default();
    let message =
        format!("cannot access local variable '{name}' where it is not associated with a value");
    let Some(ty) = local.fact.ty else {
        return Err(Stop::Raises(ERROR, message));
    };
    let local = Val::new(e.type_of(TypedType::Unbound(ty)), local.value);
    let i1 = e.i1();
    let bound = e.op("typed.is_bound", &[local], i1, &[]);
    let unbound = e.not(bound);
    e.raise_if(unbound, ERROR, Some(&message));
    Ok(e.op("typed.bound_value", &[local], ty, &[]))
}

/// `item in container`: for tuples here, else by the library.
pub(crate) fn contains<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    item: Val<'c, 'a>,
    container: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let container = optional::unwrap(e, container);
    let source = match TypedType::from(container.ty) {
        TypedType::Array(_) => library::method("__contains__"),
        TypedType::Range(_) => library::find("range.__contains__"),
        TypedType::List(_) => library::find("list.__contains__"),
        _ => None,
    };
    if let Some(source) = source {
        let item = optional::unwrap(e, item);
        return library::call(e, source, &Arguments::new(&[container, item], None));
    }
    let Some(elements) = tuples::unpack(e, container) else {
        return Err(
            Stop::issue(operators::no_operator("in", &[item, container]))
                .hint("use a tuple, an array or a range"),
        );
    };
    let mut found = e.bool(false);
    for element in elements {
        let equal = operators::compare(e, PyCompareKind::Eq, item, element)?;
        found = e.or(found, equal);
    }
    Ok(found)
}

/// The items of a tuple, or of an array's first dimension.
fn unpack<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    sequence: Val<'c, 'a>,
    count: usize,
) -> Typing<Vec<Val<'c, 'a>>> {
    if lists::list_item(sequence.ty).is_some() {
        return lists::unpack(e, sequence, count);
    }
    let Some(items) = tuples::unpack(e, sequence) else {
        return Err(Stop::issue(format!(
            "can't unpack {}",
            super::display::display(sequence.ty)
        ))
        .hint("unpack a tuple"));
    };
    if items.len() == count {
        return Ok(items);
    }
    let message = if items.len() > count {
        format!("too many values to unpack (expected {count})")
    } else {
        format!(
            "not enough values to unpack (expected {count}, got {})",
            items.len()
        )
    };
    Err(Stop::Raises("ValueError", message))
}
