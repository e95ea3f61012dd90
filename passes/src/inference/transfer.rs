//! What each operation of the `py` dialect means on typed values.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{
            arrays::{self, records},
            closures, exceptions, generators, iteration, lists, objects, optional, overloads,
            patterns, slices, tables, texts, unpacking, wrappers,
        },
        functions,
        issue::{Stop, Typing, stop},
        program::environment::Slot,
        rules::{self, contains},
        val::Val,
    },
    infra::{
        OperationExt, SourcePosition, ValueExt,
        ops::{arith, py, typed},
    },
    py::mentions::IMPORTED,
    types::{display::display, lists::is_any_list, tables::Table},
};
use melior::ir::{Attribute, Location, OperationRef, Value, operation::OperationLike};
use pyopt_dialects::{
    py::PyAttribute,
    typed::{MAX_RANK, TypedType, array_type},
};
use pyopt_library as library;

/// Whether an operation looks into its operands: an optional must have a value there.
fn takes_values(operation: py::Op) -> bool {
    matches!(
        operation,
        py::Op::GetAttr(_)
            | py::Op::SetAttr(_)
            | py::Op::GetItem(_)
            | py::Op::SetItem(_)
            | py::Op::DelItem(_)
            | py::Op::Unpack(_)
            | py::Op::UnpackEx(_)
            | py::Op::GetIter(_)
    )
}

/// The results of an operation whose operands are known.
pub(crate) fn operation<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operation: OperationRef<'c, 'a>,
    operands: &[Val<'c, 'a>],
) -> Typing<Vec<Val<'c, 'a>>> {
    if let Some(constant) = arith::Constant::of(operation) {
        return Ok(vec![rules::constant(e, constant.value())?]);
    }
    let known = py::Op::of(operation).ok_or_else(|| unsupported(operation))?;
    if let (py::Op::SetAttr(set), &[_, value]) = (&known, operands) {
        overloads::check_part(e, set.value(), value)?;
    }
    if let Some(result) = overloads::operation(e, known, operands)? {
        return Ok(match known {
            py::Op::SetItem(_) | py::Op::DelItem(_) | py::Op::SetAttr(_) => Vec::new(),
            py::Op::Contains(test) if test.negated() => vec![e.not(result)],
            py::Op::Is(test) if test.negated() => vec![e.not(result)],
            _ => vec![result],
        });
    }
    built_in(e, operation, known, operands)
        .or_else(|stop| Err(overloads::explained(e, known, operands, stop)?))
}

/// The results of an operation for which there is no overload.
fn built_in<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operation: OperationRef<'c, 'a>,
    known: py::Op<'c, 'a>,
    operands: &[Val<'c, 'a>],
) -> Typing<Vec<Val<'c, 'a>>> {
    let taken;
    let operands = match (known, operands) {
        (py::Op::SetItem(_), &[object, index, value]) if optional::has_room_for_none(object.ty) => {
            taken = vec![object, optional::unwrap(e, index), value];
            &taken
        }
        _ if takes_values(known) => {
            taken = optional::unwrap_all(e, operands);
            &taken
        }
        _ => operands,
    };
    let result = match (known, operands) {
        (py::Op::Constant(constant), []) => match PyAttribute::from(constant.value()) {
            // What CPython makes of a display of constants that is only searched or gone through.
            PyAttribute::FrozenSet(items) => rules::constant(e, items)?,
            _ => rules::constant(e, constant.value())?,
        },
        (py::Op::Global(name), []) => {
            let bound = e.program.binding(name.binding()).map(PyAttribute::from);
            match bound {
                Some(PyAttribute::FrozenSet(items)) => frozen_set(e, name.result(), items)?,
                _ => global(e, name.binding())?,
            }
        }
        (py::Op::NewReference(_), &[value]) => value,
        (py::Op::LoadAssertionError(_), []) => functions::named(e, "builtins.AssertionError")?,
        (py::Op::Unary(unary), &[operand]) => rules::unary(e, unary.kind(), operand)?,
        (py::Op::Binary(binary), &[lhs, rhs]) => rules::binary(e, binary.kind(), lhs, rhs)?,
        (py::Op::Inplace(inplace), &[lhs, rhs]) => rules::inplace(e, inplace.kind(), lhs, rhs)?,
        (py::Op::Compare(compare), &[lhs, rhs]) => rules::compare(e, compare.kind(), lhs, rhs)?,
        (py::Op::Contains(test), &[item, container]) => {
            let found = contains(e, item, container)?;
            if test.negated() { e.not(found) } else { found }
        }
        (py::Op::Is(test), &[lhs, rhs]) => {
            let same = rules::identity(e, lhs, rhs)?;
            if test.negated() { e.not(same) } else { same }
        }
        // The exception itself is what `raise` finds again: see `exceptions::Handled`.
        (py::Op::PushExcInfo(_), &[_]) => e.none(),
        (py::Op::ExcMatch(_), &[exception, class]) => exceptions::matches(e, exception, class)?,
        (py::Op::Truth(_), &[operand]) => rules::truth(e, operand)?,
        // A truth value as an object is the truth value.
        (py::Op::Bool(_), &[operand]) => operand,
        (py::Op::GetAttr(get), &[object]) => rules::attribute(e, object, get.name())?,
        (py::Op::Import(import), &[level, names])
            if let Some(module) = imported(e, import.name(), level, names) =>
        {
            // Its attributes are looked for one by one, also those of modules that have no other meaning.
            e.singleton(TypedType::Named(module))
        }
        (py::Op::ImportFrom(import), &[module]) => {
            match rules::attribute(e, module, import.name()) {
                // Nobody asks what it is.
                Err(Stop::Issue(_))
                    if import.result().users().is_empty() && is_there(e, module, import.name()) =>
                {
                    e.none()
                }
                found => found?,
            }
        }
        (py::Op::GetItem(_), &[object, index]) => rules::item(e, object, index)?,
        (py::Op::SetItem(_), &[object, index, value]) => {
            rules::set_item(e, object, index, value)?;
            return Ok(Vec::new());
        }
        (py::Op::DelItem(_), &[object, index]) if is_any_list(object.ty) => {
            let index = wrappers::held(e, index);
            lists::delete_item(e, object, index)?;
            return Ok(Vec::new());
        }
        (py::Op::DelItem(_), &[object, key]) if Table::of(object.ty).is_some() => {
            tables::delete_item(e, object, key)?;
            return Ok(Vec::new());
        }
        (py::Op::MapAdd(_), &[dict, key, value]) => {
            tables::set_item(e, dict, key, value)?;
            return Ok(Vec::new());
        }
        (py::Op::SetAttr(set), &[object, value]) if records::has_field(object, set.name()) => {
            records::set_field(e, object, set.name(), value)?;
            return Ok(Vec::new());
        }
        (py::Op::SetAttr(set), &[object, value]) if arrays::has_part(object, set.name()) => {
            arrays::set_part(e, object, set.name(), value)?;
            return Ok(Vec::new());
        }
        (py::Op::SetAttr(set), &[object, _]) => {
            let name = set.name();
            let class = display(object.ty);
            return stop(format!("{class} has no attribute '{name}' that can be set"));
        }
        (py::Op::Slice(_), &[start, stop, step]) => {
            let [start, stop, step] = [start, stop, step].map(|part| wrappers::held(e, part));
            slices::slice(e, start, stop, step)?
        }
        (py::Op::Call(call), [callee, arguments @ ..]) => {
            overloads::check_parts(e, operation, *callee, arguments)?;
            let arguments = Arguments::new(arguments, call.keywords());
            rules::call(e, *callee, arguments)?
        }
        (py::Op::MakeFunction(maker), parts) => closures::make(e, maker, parts)?,
        (py::Op::Format(field), &[value]) => texts::format(e, value, field.conversion(), None)?,
        (py::Op::Format(field), &[value, spec]) => {
            texts::format(e, value, field.conversion(), Some(spec))?
        }
        (py::Op::BuildString(_), parts) => texts::concat(e, parts),
        (py::Op::BuildTuple(_), elements) => {
            (elements.iter()).try_for_each(|element| objects::check_kept(element.ty))?;
            e.tuple(elements)
        }
        (py::Op::Unpack(targets), &[sequence]) => {
            return unpacking::unpack(e, sequence, targets.items().len());
        }
        (py::Op::UnpackEx(targets), &[sequence]) => {
            return unpacking::unpack_starred(e, sequence, targets);
        }
        (py::Op::MatchSequence(_), &[subject]) => patterns::is_sequence(e, subject),
        (py::Op::MatchMapping(_), &[subject]) => patterns::is_mapping(e, subject),
        (py::Op::MatchKeys(_), &[subject, keys]) => patterns::values(e, subject, keys)?,
        (py::Op::Intrinsic(intrinsic), &[subject, keys])
            if intrinsic.name() == patterns::REST_OF_DICT =>
        {
            patterns::rest(e, subject, keys)?
        }
        (py::Op::GetLen(_), &[subject]) => patterns::length(e, subject)?,
        (py::Op::MatchClass(pattern), &[subject, class, names]) => {
            patterns::attributes(e, pattern, [subject, class, names])?
        }
        (py::Op::Yield(_), &[value]) => {
            objects::check_kept(value.ty)?;
            generators::suspend(e, value)?
        }
        (py::Op::GetIter(_), &[iterable]) => iteration::get_iter(e, iterable)?,
        (py::Op::MakeCell(cell), _) => {
            if let Some((maker, refusal)) = closures::refusal_of_cell(cell) {
                e.location = maker.location();
                return Err(refusal);
            }
            e.location = first_use(cell);
            return Err(unsupported(operation));
        }
        _ => return Err(unsupported(operation)),
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
fn first_use<'c>(cell: py::MakeCell<'c, '_>) -> Location<'c> {
    let users = cell.result().users();
    let lines = users.into_iter().filter_map(|user| {
        let position = SourcePosition::of(user.location())?;
        (position.line > 0).then_some((position.line, user.location()))
    });
    lines
        .min_by_key(|(line, _)| *line)
        .map_or(cell.location(), |(_, location)| location)
}

/// What an import gives, if the module is there: the package that it is in, unless names of it are wanted.
fn imported<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    name: &str,
    level: Val<'c, 'a>,
    names: Val<'c, 'a>,
) -> Option<&'c str> {
    let package = name.split('.').next().unwrap_or(name);
    let name = if names.is_none() { package } else { name };
    let is_absolute = level.literal_int() == Some(0);
    let module = e.program.binding(&format!("{IMPORTED}{name}"))?;
    match PyAttribute::from(module) {
        PyAttribute::Module(name) if is_absolute => Some(name),
        _ => None,
    }
}

/// Whether a module that is imported has an attribute, whatever that is.
fn is_there(e: &Emit, module: Val, name: &str) -> bool {
    let TypedType::Named(module) = TypedType::from(module.ty) else {
        return false;
    };
    let symbol = format!("{IMPORTED}{module}.{name}");
    e.program.binding(&symbol).is_some()
}

/// What to say of an operation that isn't known.
pub(super) fn unsupported(operation: OperationRef) -> Stop {
    let unknown = || Stop::issue(format!("'{}' can't be compiled", operation.full_name()));
    let Some(known) = py::Op::of(operation) else {
        return unknown();
    };
    let what = match known {
        py::Op::Extend(_) => "a container that grows",
        py::Op::MakeCell(_) | py::Op::LoadCell(_) | py::Op::StoreCell(_) => {
            "a variable that is shared with an inner function"
        }
        py::Op::SetGlobal(_) => "assigning to a global variable",
        py::Op::DelAttr(_) | py::Op::DelItem(_) => "del of an attribute or item",
        py::Op::Import(_) => "a module that isn't found, or a relative import,",
        _ => return unknown(),
    };
    let hint = match known {
        py::Op::Extend(_) => "use a tuple or an array",
        py::Op::MakeCell(_) | py::Op::LoadCell(_) | py::Op::StoreCell(_) => {
            "define the function at module level and pass what it needs as arguments"
        }
        py::Op::SetGlobal(_) => "return the value",
        py::Op::Import(_) => "import at module level",
        _ => return Stop::issue(format!("{what} is not supported")),
    };
    Stop::issue(format!("{what} is not supported")).hint(hint)
}

/// A frozenset that is a global. One that is only searched or gone through is the tuple of its items.
fn frozen_set<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    result: Value<'c, 'a>,
    items: Attribute<'c>,
) -> Typing<Val<'c, 'a>> {
    let items = rules::constant(e, items)?;
    let is_searched = result
        .users()
        .into_iter()
        .all(|user| match py::Op::of(user) {
            Some(py::Op::Contains(test)) => test.container() == result && test.item() != result,
            Some(py::Op::GetIter(_)) => true,
            _ => false,
        });
    if is_searched {
        return Ok(items);
    }
    let class = functions::named(e, "builtins.frozenset")?;
    rules::call(e, class, Arguments::new(&[items], None))
}

/// What a global name, builtin or free variable means, by the symbol of its binding.
pub(crate) fn global<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, symbol: &'c str) -> Typing<Val<'c, 'a>> {
    if let Some(value) = e.program.binding(symbol) {
        return rules::constant(e, value);
    }
    // A function of the module that has the global's name needs no binding.
    if e.program.function(symbol).is_some() {
        return Ok(e.singleton(TypedType::Function(symbol)));
    }
    if let Some(module) = library::module(symbol) {
        return rules::constant(e, module.to_attribute(e.context()));
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
    name: &str,
    local: Slot<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    const ERROR: &str = "UnboundLocalError";
    let message = library::errors()
        .unbound_local_x
        .replace("'x'", &format!("'{name}'"));
    let Some(ty) = local.fact.ty else {
        return Err(Stop::Raises(ERROR, message));
    };
    let local = Val::new(e.type_of(TypedType::Unbound(ty)), local.value);
    let i1 = e.i1();
    let bound = e.op(i1, |b| typed::IsBound::create(b, local.ir()));
    let unbound = e.not(bound);
    e.raise_if(unbound, ERROR, Some(&message));
    Ok(e.op(ty, |b| typed::BoundValue::create(b, local.ir(), ty)))
}
