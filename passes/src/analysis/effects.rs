//! Footprints: the arrays an operation reads and writes, and the errors it may raise. They decide
//! which operations may be reordered.
//!
//! A footprint is computed from the interfaces of the operations ([`OperationInterfaces`]), those of
//! nested ones included; an operation that doesn't tell has unknown effects, the top of the lattice.
//! Two operations commute if neither writes what the other accesses, at most one may raise, and the
//! other one then writes nothing that a handler could see.
//!
//! **Aliasing.** Memory is told apart by its origin, to which views lead back: two allocations are
//! different memory, and an allocation in this function is not what an argument points to, since the
//! argument is older. Two arguments may be the same memory. An origin that isn't known may be any.

use crate::{
    analysis::{
        reduction::is_pure_step,
        shape::{unshaped, viewed_within},
    },
    infra::{
        Access, BlockExt, Effect, OperationAttributes, OperationExt, OperationInterfaces,
        RegionExt, ValueExt,
        ops::{AnyOp, func, marks, scf, stencil, typed},
    },
};
use melior::ir::{OperationRef, Value};

pub use crate::infra::Raises;

/// The effects of an operation and its nested ones: what it reads, writes and raises.
#[derive(Clone, Debug, Default)]
pub struct Footprint<'c, 'a> {
    /// The arrays it loads from.
    pub reads: Vec<Value<'c, 'a>>,
    /// The arrays it stores to.
    pub writes: Vec<Value<'c, 'a>>,
    /// Whether its effects are unknown.
    pub unknown: bool,
    /// What it raises.
    pub raises: Raises,
}

impl<'c: 'a, 'a> Footprint<'c, 'a> {
    /// Computes the effects of an operation and its nested ones.
    pub fn of(operation: OperationRef<'c, 'a>) -> Self {
        let mut footprint = Self::default();
        footprint.add(operation);
        footprint
    }

    /// Adds the effects of another operation and its nested ones.
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

    /// Adds the effects of another footprint.
    pub fn join(&mut self, other: &Self) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.unknown |= other.unknown;
        self.raise(other.raises);
    }

    /// Adds the effects of another operation without its nested ones.
    pub fn add_alone(&mut self, operation: OperationRef<'c, 'a>) {
        if is_harmless(operation) {
            return;
        }
        match operation
            .effects()
            .filter(|found| !is_trap(operation, found))
        {
            Some(effects) => {
                self.raise(operation.raises());
                for effect in effects {
                    self.add_effect(operation, effect);
                }
            }
            None => self.know_nothing(),
        }
    }

    fn add_effect(&mut self, operation: OperationRef<'c, 'a>, effect: Effect<'c, 'a>) {
        match (effect.access, effect.value) {
            (Access::Allocate, _) => {}
            // It raises, which is told apart, or uses what only such operations use.
            _ if !effect.memory && operation.raises() != Raises::Nothing => {}
            (Access::Read, Some(array)) if effect.memory => self.reads.push(array),
            (Access::Write | Access::Free, Some(array)) if effect.memory => self.writes.push(array),
            _ => self.know_nothing(),
        }
    }

    fn know_nothing(&mut self) {
        self.unknown = true;
        self.raise(Raises::Anything);
    }

    fn raise(&mut self, what: Raises) {
        self.raises = self.raises.max(what);
    }

    /// Whether it has effects that are visible outside.
    pub fn writes_anything(&self) -> bool {
        self.unknown || !self.writes.is_empty()
    }

    /// Whether two operations must not be reordered.
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

/// Whether an operation, those inside of it aside, neither accesses memory nor raises: it only hands
/// values on, or is a step of a reduction, of which that is known.
fn is_harmless<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> bool {
    operation.is_terminator()
        || operation.isa::<typed::Item>()
        || operation.isa::<typed::Call>() && is_pure_step(operation)
}

/// Whether an operation without effects may trap all the same, such as a division: a check that
/// raises stands before it.
fn is_trap<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, effects: &[Effect<'c, 'a>]) -> bool {
    effects.is_empty() && operation.region_list().is_empty() && !operation.is_pure()
}

/// Whether an array of one list may alias one of the other.
pub fn any_alias<'c: 'a, 'a>(left: &[Value<'c, 'a>], right: &[Value<'c, 'a>]) -> bool {
    left.iter().any(|a| right.iter().any(|b| may_alias(*a, *b)))
}

/// Whether two arrays may alias.
pub fn may_alias<'c: 'a, 'a>(left: Value<'c, 'a>, right: Value<'c, 'a>) -> bool {
    if is_copied_for(left, right) || is_copied_for(right, left) {
        return false;
    }
    if is_apart_from(left, right) || is_apart_from(right, left) {
        return false;
    }
    match (Origin::of(left), Origin::of(right)) {
        (Origin::Fresh(left), Origin::Fresh(right)) => left == right,
        (Origin::Fresh(_), Origin::Argument) | (Origin::Argument, Origin::Fresh(_)) => false,
        _ => true,
    }
}

/// Whether a `typed.apart` says that one array, or what it is a part of, doesn't overlap the other or
/// what that is a part of.
fn is_apart_from<'c: 'a, 'a>(array: Value<'c, 'a>, other: Value<'c, 'a>) -> bool {
    let wholes = |part| std::iter::successors(Some(part), |part| viewed_within(*part));
    let mut known = wholes(array).filter_map(typed::Apart::defining).peekable();
    if known.peek().is_none() {
        return false;
    }
    let theirs: Vec<_> = wholes(other).map(unshaped).collect();
    known.any(|apart| {
        let others = apart.others().into_iter().map(unshaped);
        others.into_iter().any(|other| theirs.contains(&other))
    })
}

/// Whether one array is the source of an assignment, which was copied if it overlapped the target,
/// and the other one is the target or a part of it.
fn is_copied_for<'c: 'a, 'a>(array: Value<'c, 'a>, mut other: Value<'c, 'a>) -> bool {
    let Some(branch) = scf::If::defining(array) else {
        return false;
    };
    let Some(test) = typed::Overlaps::defining(branch.condition()) else {
        return false;
    };
    let yielded = |region: melior::ir::RegionRef<'c, 'a>| {
        let end = region.entry()?.terminator_op()?;
        Some(end.operand_value(array.position()))
    };
    let copies = yielded(branch.then_region())
        .is_some_and(|copy| matches!(Origin::of(copy), Origin::Fresh(_)));
    let keeps =
        yielded(branch.else_region()).is_some_and(|kept| unviewed(kept) == unviewed(test.lhs()));
    while other != test.rhs() {
        // Other views may reach beyond the array.
        let Some(viewed) = viewed_within(other) else {
            return false;
        };
        other = viewed;
    }
    copies && keeps
}

/// An array that only its type tells from this one.
fn unviewed<'c: 'a, 'a>(array: Value<'c, 'a>) -> Value<'c, 'a> {
    match typed::View::defining(array) {
        Some(view) if view.subscripts().is_empty() => view.array(),
        _ => array,
    }
}

/// Among [`marks::ORIGINS`]: an argument of the launching function.
pub const OF_CALLER: i64 = -1;

/// Among [`marks::ORIGINS`]: any.
pub const OF_ANYONE: i64 = -2;

/// The origin of an array's memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Origin<'c, 'a> {
    /// This operation result allocates it.
    Fresh(Value<'c, 'a>),
    /// An argument of the function: so it is older than anything the function allocates.
    Argument,
    /// From anywhere.
    Unknown,
}

impl<'c: 'a, 'a> Origin<'c, 'a> {
    /// The origin of an argument; in an outlined loop body it is what it was in the loop.
    fn of_argument(function: OperationRef<'c, 'a>, array: Value<'c, 'a>) -> Self {
        let Some(origins) = function.i64_array_attr(marks::ORIGINS) else {
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

    /// The origin of what a branch yields: that of both regions, if they agree.
    fn of_branch(branch: OperationRef<'c, 'a>, position: usize) -> Self {
        let mut yielded = branch.nested_blocks().into_iter().filter_map(|block| {
            let end = block.terminator_op()?;
            end.operand_values().get(position).copied().map(Self::of)
        });
        let first = yielded.next().unwrap_or(Self::Unknown);
        if yielded.all(|other| other == first) {
            first
        } else {
            Self::Unknown
        }
    }

    /// Follows views.
    pub fn of(array: Value<'c, 'a>) -> Self {
        let Some(operation) = array.defining_op() else {
            let parent = array.defining_block().parent();
            return match parent.map(AnyOp::of) {
                Some(AnyOp::Func(func::Op::Func(function))) => {
                    Self::of_argument(function.operation(), array)
                }
                Some(AnyOp::Stencil(stencil::Op::Apply(apply))) => {
                    Self::of(apply.inputs()[array.position()])
                }
                _ => Self::Unknown,
            };
        };
        if let Some(source) = operation.view_source() {
            return Self::of(source);
        }
        match AnyOp::of(operation) {
            // It may be a copy, which nothing else accesses.
            AnyOp::Typed(typed::Op::Broadcast(broadcast)) => return Self::of(broadcast.array()),
            AnyOp::Typed(typed::Op::Repeat(repeat)) => {
                return Self::of(repeat.arrays()[array.position()]);
            }
            AnyOp::Scf(scf::Op::If(branch)) => {
                return Self::of_branch(branch.operation(), array.position());
            }
            _ => {}
        }
        let allocates = |effect: &Effect<'c, 'a>| {
            effect.access == Access::Allocate && effect.value == Some(array)
        };
        match operation.effects() {
            Some(effects) if effects.iter().any(allocates) => Self::Fresh(array),
            _ => Self::Unknown,
        }
    }
}

/// Whether an operation that inference emits may raise, or be lowered to operations that may.
pub fn may_raise(operation: OperationRef) -> bool {
    !operation.is_terminator() && operation.pre_order().into_iter().any(fails)
}

/// Whether an operation raises, those inside of it aside.
fn fails(operation: OperationRef) -> bool {
    operation.raises() != Raises::Nothing || makes_array(operation)
}

/// Whether an operation allocates what a result holds: what it raises if memory is short is no
/// effect of it, so that it can be removed.
fn makes_array(operation: OperationRef) -> bool {
    operation.effects().is_some_and(|effects| {
        effects
            .iter()
            .any(|effect| effect.access == Access::Allocate && effect.value.is_some())
    })
}
