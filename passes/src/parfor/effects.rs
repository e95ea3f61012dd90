//! What an operation does to arrays and which errors it may raise: what may be reordered.

use super::shape::{Extent, rank};
use crate::{
    infra::{BlockExt, OperationAttributes, OperationExt, RegionExt, ValueExt},
    typed::ownership::is_view,
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

/// Whether an array of one list may share memory with one of the other.
pub(crate) fn any_alias<'c: 'a, 'a>(left: &[Value<'c, 'a>], right: &[Value<'c, 'a>]) -> bool {
    left.iter().any(|a| right.iter().any(|b| may_alias(*a, *b)))
}

/// Whether two arrays may share memory.
pub(crate) fn may_alias<'c: 'a, 'a>(left: Value<'c, 'a>, right: Value<'c, 'a>) -> bool {
    match (Origin::of(left), Origin::of(right)) {
        (Origin::Fresh(left), Origin::Fresh(right)) => left == right,
        (Origin::Fresh(_), Origin::Argument) | (Origin::Argument, Origin::Fresh(_)) => false,
        _ => true,
    }
}

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
    /// Follows views.
    pub fn of(array: Value<'c, 'a>) -> Self {
        let Some(operation) = array.defining_op() else {
            let parent = array.defining_block().parent();
            return match parent {
                Some(parent) if parent.is("func.func") => Self::Argument,
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
