//! What an operation does to arrays and which errors it may raise: what may be reordered.

use super::{
    reduction::Combiner,
    shape::{Extent, rank},
};
use crate::{
    infra::{AttributeExt, BlockExt, OperationAttributes, OperationExt, RegionExt, ValueExt},
    typed::{inline_calls::is_pure_step, ownership::is_view},
};
use melior::ir::{OperationRef, Value};
use pyopt_dialects::typed::array_type;

/// The message of the error that sizes which don't broadcast together raise.
pub(crate) const BROADCAST_ERROR: &str = "operands could not be broadcast together";

/// The errors that an operation may raise.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Raises {
    /// None.
    #[default]
    Nothing,
    /// That sizes don't broadcast: whichever operation raises it first, the user sees the same.
    Shape,
    /// Any.
    Anything,
}

/// What an operation with all inside of it reads, writes and raises.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint<'c, 'a> {
    /// The arrays it loads from.
    pub reads: Vec<Value<'c, 'a>>,
    /// The arrays it stores to.
    pub writes: Vec<Value<'c, 'a>>,
    /// Whether it may do anything at all.
    pub unknown: bool,
    /// What it raises.
    pub raises: Raises,
}

impl<'c: 'a, 'a> Footprint<'c, 'a> {
    /// Looks at an operation and all inside of it.
    pub fn of(operation: OperationRef<'c, 'a>) -> Self {
        let mut footprint = Self::default();
        footprint.add(operation);
        footprint
    }

    /// Takes what another operation does into account too.
    pub fn add(&mut self, operation: OperationRef<'c, 'a>) {
        self.add_alone(operation);
        for region in operation.region_list() {
            for block in region.block_list() {
                block
                    .operation_list()
                    .into_iter()
                    .for_each(|inner| self.add(inner));
            }
        }
    }

    /// Takes another footprint into account too.
    pub fn join(&mut self, other: &Self) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.unknown |= other.unknown;
        self.raise(other.raises);
    }

    /// Takes into account what another operation does without what is inside of it.
    pub fn add_alone(&mut self, operation: OperationRef<'c, 'a>) {
        let arrays = || {
            operation
                .operand_values()
                .into_iter()
                .filter(|value| array_type(value.ty()).is_some())
        };
        match operation.full_name() {
            "typed.load" | "stencil.access" => self.reads.push(operation.operand_value(0)),
            "typed.store" => self.writes.push(operation.operand_value(1)),
            "typed.reduce" => {
                self.reads.extend(arrays());
                let kind = operation.attr("kind").map(|kind| kind.to_string());
                if kind.is_some_and(|kind| kind.contains("min") || kind.contains("max")) {
                    self.raise(Raises::Anything);
                }
            }
            "typed.assign" => {
                self.reads
                    .extend(arrays().filter(|value| *value != operation.operand_value(1)));
                self.writes.push(operation.operand_value(1));
                self.raise(Raises::Shape);
            }
            "typed.broadcast" => {
                self.reads.extend(arrays());
                self.raise(Raises::Shape);
            }
            "typed.array_expr" => {
                self.reads.extend(arrays());
                if arrays().filter(|array| rank(*array) > 0).count() > 1 {
                    self.raise(Raises::Shape);
                }
            }
            "typed.empty" | "typed.generate" => {
                let natural = |size| Extent::of(size).is_natural();
                if !operation.operand_values().into_iter().all(natural) {
                    self.raise(Raises::Anything);
                }
            }
            "typed.raise_if" => {
                let shape = operation.str_attr("message") == Some(BROADCAST_ERROR);
                self.raise(if shape {
                    Raises::Shape
                } else {
                    Raises::Anything
                });
            }
            "typed.require_equal" => self.raise(Raises::Anything),
            "stencil.apply" => {
                self.reads.extend(arrays());
                self.raise(Raises::Anything);
            }
            // It may never end, and what stands behind it must not happen before.
            "scf.while" => self.raise(Raises::Anything),
            "typed.call" if is_pure_step(operation) => {}
            "parfor.loop" if calls_combiner(operation) => {
                self.unknown = true;
                self.raise(Raises::Anything);
            }
            "parfor.loop" | "scf.for" | "scf.if" | "scf.index_switch" | "typed.item"
            | "typed.iter" => {}
            _ if operation.is_pure() || operation.is_terminator() => {}
            _ => {
                self.unknown = true;
                self.raise(Raises::Anything);
            }
        }
    }

    fn raise(&mut self, what: Raises) {
        self.raises = self.raises.max(what);
    }

    /// Whether it changes something that others may see.
    pub fn writes_anything(&self) -> bool {
        self.unknown || !self.writes.is_empty()
    }

    /// Whether the order of two operations matters.
    pub fn conflicts(&self, other: &Self) -> bool {
        let touches = |one: &Self| one.unknown || !one.reads.is_empty() || !one.writes.is_empty();
        let raises = |one: &Self| one.raises != Raises::Nothing;
        let shape_only = self.raises.max(other.raises) == Raises::Shape;
        self.unknown && touches(other)
            || other.unknown && touches(self)
            || any_alias(&self.writes, &other.reads)
            || any_alias(&self.reads, &other.writes)
            || any_alias(&self.writes, &other.writes)
            || raises(self) && other.writes_anything()
            || raises(other) && self.writes_anything()
            || raises(self) && raises(other) && !shape_only
    }
}

/// Whether a loop combines by a function that may raise, or do anything else.
fn calls_combiner(operation: OperationRef) -> bool {
    let reductions = operation.array_attr("reductions").unwrap_or_default();
    reductions.into_iter().any(|one| {
        let combiner = one.symbol_value();
        combiner.is_some_and(|name| {
            Combiner::find(operation, name).is_none_or(|combiner| !combiner.pure)
        })
    })
}

/// Whether an array of one list may share memory with one of the other.
pub(crate) fn any_alias<'c: 'a, 'a>(left: &[Value<'c, 'a>], right: &[Value<'c, 'a>]) -> bool {
    left.iter().any(|a| right.iter().any(|b| may_alias(*a, *b)))
}

/// Whether two arrays may share memory.
pub(crate) fn may_alias<'c: 'a, 'a>(left: Value<'c, 'a>, right: Value<'c, 'a>) -> bool {
    if is_copied_for(left, right) || is_copied_for(right, left) {
        return false;
    }
    match (Origin::of(left), Origin::of(right)) {
        (Origin::Fresh(left), Origin::Fresh(right)) => left == right,
        (Origin::Fresh(_), Origin::Argument) | (Origin::Argument, Origin::Fresh(_)) => false,
        _ => true,
    }
}

/// Whether an array is what an assignment reads, which was copied if it overlapped with the target,
/// and another one is the target or a part of it.
fn is_copied_for<'c: 'a, 'a>(array: Value<'c, 'a>, mut other: Value<'c, 'a>) -> bool {
    let Some(branch) = array.defined_by("scf.if") else {
        return false;
    };
    let Some(test) = branch.operand_value(0).defined_by("typed.overlaps") else {
        return false;
    };
    let yielded = |region: usize| {
        let end = branch.region_at(region).entry()?.terminator_op()?;
        Some(end.operand_value(array.position()))
    };
    let copies = yielded(0).is_some_and(|copy| matches!(Origin::of(copy), Origin::Fresh(_)));
    let keeps = yielded(1).is_some_and(|kept| unviewed(kept) == unviewed(test.operand_value(0)));
    let target = test.operand_value(1);
    while other != target {
        // Other views may reach beyond the array.
        match other.defining_op() {
            Some(view) if matches!(view.full_name(), "typed.view" | "typed.transpose") => {
                other = view.operand_value(0);
            }
            _ => return false,
        }
    }
    copies && keeps
}

/// An array that only its type tells from this one.
fn unviewed<'c: 'a, 'a>(array: Value<'c, 'a>) -> Value<'c, 'a> {
    match array.defined_by("typed.view") {
        Some(view) if view.operand_values().len() == 1 => view.operand_value(0),
        _ => array,
    }
}

/// On the body of a loop that became a function: where the memory of each argument comes from, the number
/// of an allocation of the function around it, or [`OF_CALLER`] or [`OF_ANYONE`].
pub(crate) const ORIGINS: &str = "pyopt.origins";

/// It is that of an argument of the function around.
pub(crate) const OF_CALLER: i64 = -1;

/// It may be any.
pub(crate) const OF_ANYONE: i64 = -2;

/// Where the memory of an array comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Origin<'c, 'a> {
    /// This operation result allocates it.
    Fresh(Value<'c, 'a>),
    /// The caller gave it; so it is older than anything fresh.
    Argument,
    /// From anywhere.
    Unknown,
}

impl<'c: 'a, 'a> Origin<'c, 'a> {
    /// An argument's: of the body of a loop that became a function it is what it was in the loop.
    fn of_argument(function: OperationRef<'c, 'a>, array: Value<'c, 'a>) -> Self {
        let Some(origins) = function.i64_array_attr(ORIGINS) else {
            return Self::Argument;
        };
        match origins.get(array.position()) {
            Some(&OF_CALLER) => Self::Argument,
            Some(&OF_ANYONE) | None => Self::Unknown,
            Some(allocation) => {
                // One argument stands for all views of an allocation.
                let first = origins.iter().position(|other| other == allocation);
                let arguments = array.defining_block().argument_values();
                first.map_or(Self::Unknown, |first| Self::Fresh(arguments[first]))
            }
        }
    }

    /// Follows views.
    pub fn of(array: Value<'c, 'a>) -> Self {
        let Some(operation) = array.defining_op() else {
            let parent = array.defining_block().parent();
            return match parent {
                Some(parent) if parent.is("func.func") => Self::of_argument(parent, array),
                Some(parent) if parent.is("stencil.apply") => {
                    Self::of(parent.operand_value(array.position()))
                }
                _ => Self::Unknown,
            };
        };
        match operation.full_name() {
            // A broadcast may be a copy, which nothing else shares.
            "typed.broadcast" => Self::of(operation.operand_value(0)),
            name if is_view(name) => Self::of(operation.operand_value(0)),
            "typed.empty" | "typed.generate" | "typed.array_expr" | "parfor.loop"
            | "stencil.apply" => Self::Fresh(array),
            _ => Self::Unknown,
        }
    }
}
