//! What a `py.make_function` is made of.

use super::{function::PyFunction, inlining::Default};
use crate::infra::{AttributeExt, OperationExt, ValueExt, erase_unused, ops::py};
use melior::ir::{Attribute, Value};

/// Which parts there are, in their order: the bits of the operation's flags.
const DEFAULTS: i64 = 1;
const KEYWORD_DEFAULTS: i64 = 2;
/// A function that makes the annotations.
const ANNOTATE: i64 = 16;
const ANNOTATIONS: i64 = 4;
/// A tuple of cells.
pub(super) const CLOSURE: i64 = 8;

/// The parts of a function object, without its annotations.
#[derive(std::default::Default)]
pub(super) struct FunctionObject<'c, 'a> {
    /// Those of the last positional parameters.
    pub defaults: Option<Vec<Default<'c, 'a>>>,
    /// Those of keyword-only parameters, by name.
    pub keyword_defaults: Option<Vec<(&'c str, Value<'c, 'a>)>>,
    /// The cells of the free variables.
    pub cells: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> FunctionObject<'c, 'a> {
    /// Takes a function object apart; `None` where its parts aren't made in this function.
    pub fn of(maker: py::MakeFunction<'c, 'a>) -> Option<Self> {
        let flags = maker.flags();
        let mut operands = maker.parts().into_iter();
        let mut parts = <Self as std::default::Default>::default();
        if flags & DEFAULTS != 0 {
            parts.defaults = Some(match py::Op::of(operands.next()?.defining_op()?)? {
                py::Op::BuildTuple(tuple) => {
                    tuple.elements().into_iter().map(Default::Value).collect()
                }
                py::Op::Constant(tuple) => {
                    let items = tuple.value().elements()?.into_iter();
                    items.map(Default::Constant).collect()
                }
                _ => return None,
            });
        }
        if flags & KEYWORD_DEFAULTS != 0 {
            let map = py::BuildMap::defining(operands.next()?)?;
            let named = |pair: &[Value<'c, 'a>]| {
                let name = constant(pair[0])?.string_value()?;
                Some((name, pair[1]))
            };
            let entries: Option<_> = map.elements().chunks(2).map(named).collect();
            parts.keyword_defaults = Some(entries?);
        }
        for annotations in [ANNOTATE, ANNOTATIONS] {
            if flags & annotations != 0 {
                operands.next()?;
            }
        }
        if flags & CLOSURE != 0 {
            let cells = py::BuildTuple::defining(operands.next()?)?;
            parts.cells = cells.elements();
        }
        Some(parts)
    }

    /// The default of a parameter.
    pub fn default_of(
        &self,
        function: &PyFunction<'c, 'a>,
        index: usize,
    ) -> Option<Default<'c, 'a>> {
        let positional = function.defaults.len() - function.keyword_only;
        if index < positional {
            let defaults = self.defaults.as_ref()?;
            let from_end = positional - index;
            let position = defaults.len().checked_sub(from_end)?;
            return defaults.get(position).copied();
        }
        let name = function.parameters[index];
        let mut named = self.keyword_defaults.iter().flatten();
        let found = named.find(|(keyword, _)| *keyword == name);
        found.map(|(_, value)| Default::Value(*value))
    }
}

/// Removes a function object that isn't called any more, and the tuples and the dict of defaults it
/// was made of.
pub(super) fn erase_with_parts(maker: py::MakeFunction) {
    let parts = maker.parts();
    maker.erase();
    // What the parts hold may be computed by what raises: that stays.
    erase_unused(parts, |built| {
        built.isa::<py::BuildTuple>() || built.isa::<py::BuildMap>()
    });
}

/// The value of a `py.constant`.
pub(super) fn constant<'c, 'a>(value: Value<'c, 'a>) -> Option<Attribute<'c>> {
    Some(py::Constant::defining(value)?.value())
}
