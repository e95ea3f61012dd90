//! One operation of a `py` function: its results, in the analysis and in the emission.

use crate::{
    inference::{
        displays,
        emit::Emit,
        empty_defaults,
        families::{packed_keywords, tables},
        issue::{Stop, Typing},
        keywords,
        lattice::Fact,
        program::environment::{Environment, Slot, key},
        refinement, refusals, rules, transfer,
        val::Val,
    },
    infra::{
        OperationExt,
        ops::{AnyOp, py, typed},
    },
};
use melior::ir::{OperationRef, Value, operation::OperationLike};

/// The values of a function's parameters: arguments, then defaults, then no further arguments and no
/// further keywords.
pub(crate) fn parameters<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &[Val<'c, 'a>],
) -> Typing<Vec<Val<'c, 'a>>> {
    let function = e.program.specializations[e.specialization].function.clone();
    let mut values = arguments.to_vec();
    for default in function.defaults.iter().skip(arguments.len()) {
        let default = default.ok_or(Stop::Unknown)?;
        values.push(rules::constant(e, default)?);
    }
    if function.varargs && values.len() == function.defaults.len() {
        values.push(e.tuple(&[]));
    }
    if values.len() < function.parameters.len() {
        values.push(packed_keywords::pack(e, &[]));
    }
    Ok(values)
}

/// The symbol of the free variable that a cell's value is, if it is one.
fn free_variable<'c>(load: py::LoadCell<'c, '_>) -> Option<&'c str> {
    py::FreeCell::defining(load.cell()).map(py::FreeCell::binding)
}

/// Types an operation that is no terminator, and emits it where there is something to emit to.
pub(crate) fn step<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    environment: &Environment<'c, 'a>,
    operation: OperationRef<'c, 'a>,
) -> Typing<Vec<Slot<'c, 'a>>> {
    let mut slots = results(e, environment, operation)?;
    for (result, slot) in operation.result_values().into_iter().zip(&mut slots) {
        refinement::settle(e, environment, result, slot)?;
    }
    Ok(slots)
}

fn values<'c, 'a>(
    environment: &Environment<'c, 'a>,
    values: &[Value<'c, 'a>],
) -> Typing<Vec<Val<'c, 'a>>> {
    values.iter().map(|value| environment.val(*value)).collect()
}

fn results<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    environment: &Environment<'c, 'a>,
    operation: OperationRef<'c, 'a>,
) -> Typing<Vec<Slot<'c, 'a>>> {
    e.location = operation.location();
    e.parts.clear();
    if let Some(builder) = e.builder {
        builder.at(e.location);
    }
    if !e.program.refused.is_empty() {
        let function = &e.program.specializations[e.specialization].function;
        if e.program.refused.contains(function.symbol) {
            refusals::stop_at(operation, function.operation.kind())?;
        }
    }
    match AnyOp::of(operation) {
        AnyOp::Py(py::Op::Del(_) | py::Op::PopExcept(_)) | AnyOp::Typed(typed::Op::Variable(_)) => {
            Ok(Vec::new())
        }
        // A cell means something only where it is read.
        AnyOp::Py(py::Op::Unbound(_) | py::Op::FreeCell(_)) => Ok(vec![Slot {
            fact: Fact::UNBOUND,
            value: None,
        }]),
        AnyOp::Py(py::Op::LoadCell(load)) if free_variable(load).is_some() => {
            refusals::check_read(load)?;
            let symbol = free_variable(load).ok_or(Stop::Unknown)?;
            Ok(vec![transfer::global(e, symbol)?.into()])
        }
        AnyOp::Py(py::Op::BuildList(built)) => {
            Ok(vec![match displays::build(e, environment, built)? {
                Some(list) => list.into(),
                None => Slot {
                    fact: Fact::UNBOUND,
                    value: None,
                },
            }])
        }
        AnyOp::Py(py::Op::Extend(extension))
            if displays::extends(environment, extension) || keywords::merges(extension) =>
        {
            Ok(Vec::new())
        }
        AnyOp::Py(py::Op::Extend(extension)) => {
            displays::grow(e, environment, extension)?;
            Ok(Vec::new())
        }
        AnyOp::Py(py::Op::MapAdd(entry)) if keywords::is_collected(entry) => Ok(Vec::new()),
        AnyOp::Py(py::Op::BuildMap(built)) if keywords::is_collection(built) => Ok(vec![Slot {
            fact: Fact::UNBOUND,
            value: None,
        }]),
        AnyOp::Py(py::Op::BuildMap(built)) => {
            let wanted = environment.wanted.get(&key(built.result())).copied();
            let entries = values(environment, &built.elements())?;
            let is_record = keywords::is_record(built);
            Ok(vec![
                tables::build_dict(e, wanted, &entries, is_record)?.into(),
            ])
        }
        AnyOp::Py(py::Op::BuildSet(built)) => {
            let wanted = environment.wanted.get(&key(built.result())).copied();
            let items = values(environment, &built.elements())?;
            Ok(vec![tables::build_set(e, wanted, &items)?.into()])
        }
        AnyOp::Py(py::Op::CallEx(call)) => Ok(vec![keywords::call(e, environment, call)?.into()]),
        AnyOp::Py(py::Op::ListToTuple(made)) => {
            Ok(vec![displays::tuple(e, environment, made)?.into()])
        }
        AnyOp::Py(py::Op::CheckBound(check)) => {
            let local = environment.slot(check.value());
            let checked = if local.fact.unbound && local.fact.conflict.is_none() {
                transfer::check_bound(e, check.name(), local)?
            } else {
                environment.val(check.value())?
            };
            Ok(vec![checked.into()])
        }
        _ => {
            let mut operands = values(environment, &operation.operand_values())?;
            if let Some(call) = py::Call::of(operation) {
                empty_defaults::fit(e, environment, call, &mut operands)?;
            }
            let results = transfer::operation(e, operation, &operands)?;
            Ok(results.into_iter().map(Slot::from).collect())
        }
    }
}
