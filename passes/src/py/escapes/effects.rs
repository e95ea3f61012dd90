//! What functions do with function objects that they get or make.

use super::super::{bindings::Bindings, function_object::CLOSURE};
use crate::infra::{
    OperationAttributes, OperationExt, ValueExt,
    ops::{marks, py},
};
use melior::ir::Value;
use pyopt_dialects::enums::FunctionKind;

/// How a value holds a function object.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) enum Hold {
    /// It is that object, or one that has it in its closure: what calls give doesn't hold it.
    Function,
    /// The same of a generator function: calls give an iterator.
    Generator,
    /// It is an iterator that calls it, whose items don't hold it.
    Iterator,
    /// All that comes out of it may hold the object, too.
    Open,
}

impl Hold {
    pub fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Open }
    }
}

/// What of a function's is followed in it.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) enum Source {
    /// A parameter.
    Parameter(usize),
    /// What is in a free variable.
    Free(usize),
    /// The function objects that it makes.
    Made,
}

/// What a function does with what is followed in it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Effect {
    /// Whether, and how, what it returns or yields holds it.
    pub result: Option<Hold>,
    /// Whether something that it got may hold it afterwards.
    pub stores: bool,
}

impl Effect {
    /// What any function may do.
    pub const ANY: Self = Self {
        result: Some(Hold::Open),
        stores: true,
    };

    pub fn join(self, other: Self) -> Self {
        let result = match (self.result, other.result) {
            (Some(one), Some(other)) => Some(one.join(other)),
            (one, other) => one.or(other),
        };
        Self {
            result,
            stores: self.stores || other.stores,
        }
    }
}

/// A function by its symbol, what is followed in it, and how that holds the object.
pub(super) type Question<'c> = (&'c str, Source, Hold);

/// Knows what functions do.
pub(super) trait Effects<'c, 'a> {
    /// What names mean.
    fn bindings(&self) -> &Bindings<'c, 'a>;

    /// What a function does with what is followed in it.
    fn effect(&self, question: Question<'c>) -> Effect;
}

/// How a function object holds what its function does this with.
pub(super) fn hold_of<'c: 'a, 'a>(
    bindings: &Bindings<'c, 'a>,
    maker: py::MakeFunction<'c, 'a>,
    effect: Effect,
) -> Hold {
    let function = bindings.function(maker.code());
    match effect.result {
        Some(_) => Hold::Open,
        None if function.is_none_or(is_generator) => Hold::Generator,
        None => Hold::Function,
    }
}

/// The function that a callee is, and how many of its first parameters are captured values.
pub(super) fn function_of<'c: 'a, 'a>(
    bindings: &Bindings<'c, 'a>,
    callee: Value<'c, 'a>,
) -> Option<(py::Func<'c, 'a>, usize)> {
    if let Some(function) = bindings.callee(callee) {
        return Some((function, 0));
    }
    match py::Op::of(callee.defining_op()?)? {
        py::Op::MakeFunction(maker) => {
            let captured = maker.int_attr(marks::CAPTURES).unwrap_or(0);
            Some((bindings.function(maker.code())?, captured as usize))
        }
        py::Op::CheckBound(check) => function_of(bindings, check.value()),
        py::Op::NewReference(same) => function_of(bindings, same.value()),
        py::Op::LoadCell(load) => {
            let cell = py::MakeCell::defining(load.cell())?;
            let users = cell.result().users().into_iter();
            let mut stores = users.filter_map(py::StoreCell::of);
            match (cell.initial(), stores.next(), stores.next()) {
                (None, Some(store), None) if !is_written_by_others(bindings, cell) => {
                    function_of(bindings, store.value())
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a function that has a cell in its closure may write to it.
fn is_written_by_others<'c: 'a, 'a>(
    bindings: &Bindings<'c, 'a>,
    cell: py::MakeCell<'c, 'a>,
) -> bool {
    let uses = cell.result().uses().into_iter();
    let captures = uses.filter(|one| one.user.isa::<py::BuildTuple>());
    captures
        .flat_map(|one| {
            let makers = one.user.result_values().into_iter();
            let makers = makers.flat_map(ValueExt::users);
            makers.map(move |maker| (one.operand, py::MakeFunction::of(maker)))
        })
        .any(|(index, maker)| {
            let Some(function) = maker.and_then(|maker| bindings.function(maker.code())) else {
                return true;
            };
            let cells = function.nested_ops::<py::FreeCell>().into_iter();
            cells
                .filter(|cell| cell.index() == index as i64)
                .flat_map(|cell| cell.result().users())
                .any(|user| !user.isa::<py::LoadCell>())
        })
}

/// The tuple that is the closure of a function object.
pub(super) fn closure_of<'c: 'a, 'a>(
    maker: py::MakeFunction<'c, 'a>,
) -> Option<py::BuildTuple<'c, 'a>> {
    let closure = *maker.parts().last()?;
    py::BuildTuple::defining(closure).filter(|_| maker.flags() & CLOSURE != 0)
}

/// Whether calls of a function give iterators.
pub(super) fn is_generator(function: py::Func) -> bool {
    function.kind() != FunctionKind::Function
}
