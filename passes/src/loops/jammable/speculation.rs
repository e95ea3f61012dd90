//! What copies of a body do although the program may not: arms of branches that it doesn't take, and what is
//! behind a check that fails.
//!
//! All of that is without effects, as `typed`'s arithmetic is total. A load must be within its array: where its
//! indices are induction variables and what doesn't change in the nest, that is tested once before the nest.

use super::{order::Accesses, parts::Segment};
use crate::{
    infra::{
        BlockExt, Builder, CmpInt, OperationExt, OperationInterfaces, RegionExt, ValueExt,
        emit::Emit,
        ops::{AnyOp, arith, scf, typed},
    },
    loops::check_slice::{Index, index_of},
    types::number::Number,
};
use melior::ir::{OperationRef, Value, r#type::IntegerType};
use pyopt_dialects::enums::CompareKind;

/// Simple operations that are done for all copies rather than branched around.
const CHEAP: i64 = 8;
/// Simple operations of two arms up to which both are done.
const BOTH: i64 = 24;

/// Indices that an array must have, for loads that the program may not do.
#[derive(Default)]
pub(crate) struct Speculated<'c, 'a>(Vec<Within<'c, 'a>>);

#[derive(PartialEq)]
struct Within<'c, 'a> {
    array: Value<'c, 'a>,
    dimension: usize,
    indices: Indices<'c, 'a>,
}

#[derive(PartialEq)]
enum Indices<'c, 'a> {
    /// One that is the same in all of the nest.
    One(Value<'c, 'a>),
    /// Those from one number up to before another, plus what is the same in all of the nest.
    Range(Value<'c, 'a>, Value<'c, 'a>, Option<Value<'c, 'a>>),
}

impl<'c: 'a, 'a> Speculated<'c, 'a> {
    /// Emits, before a nest, whether an index may be none of its array's; nothing if there is none.
    pub(crate) fn outside(
        &self,
        builder: &Builder<'c, 'a>,
        nest: OperationRef<'c, 'a>,
    ) -> Option<Value<'c, 'a>> {
        let outside = self.0.iter().map(|one| one.outside(builder, nest));
        outside.reduce(|one, other| builder.or(one, other))
    }

    fn require(&mut self, one: Within<'c, 'a>) {
        if !self.0.contains(&one) {
            self.0.push(one);
        }
    }
}

impl<'c: 'a, 'a> Indices<'c, 'a> {
    /// These, in terms of what is known before a nest.
    fn before(&self, builder: &Builder<'c, 'a>, nest: OperationRef<'c, 'a>) -> Self {
        let here = |value: Value<'c, 'a>| match value.defining_op() {
            Some(operation) if operation.is_within(nest) => {
                let copy = builder.clone_op(operation, &Vec::new());
                copy.result_values()[value.position()]
            }
            _ => value,
        };
        match *self {
            Self::One(index) => Self::One(here(index)),
            Self::Range(lower, upper, added) => {
                Self::Range(here(lower), here(upper), added.map(here))
            }
        }
    }
}

impl<'c: 'a, 'a> Within<'c, 'a> {
    fn outside(&self, builder: &Builder<'c, 'a>, nest: OperationRef<'c, 'a>) -> Value<'c, 'a> {
        let size = builder.dim(self.array, self.dimension);
        let to_index = |value| builder.cast(value, builder.index_type());
        let is_negative = |value| builder.cmpi(CmpInt::Slt, value, builder.index(0));
        match self.indices.before(builder, nest) {
            Indices::One(index) => builder.cmpi(CmpInt::Uge, to_index(index), size),
            Indices::Range(lower, upper, None) => {
                let beyond = builder.cmpi(CmpInt::Sgt, upper, size);
                builder.or(is_negative(lower), beyond)
            }
            Indices::Range(lower, upper, Some(added)) => {
                let added = to_index(added);
                let size = builder.bin(arith::SubI::NAME, size, added);
                let beyond = builder.cmpi(CmpInt::Sgt, upper, size);
                let negative = builder.or(is_negative(lower), is_negative(added));
                builder.or(negative, beyond)
            }
        }
    }
}

/// How a branch in a jammed loop is done for all copies.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Merging {
    /// Both arms are done, and each copy selects.
    Selects,
    /// The arm is done if one copy takes it; each copy selects.
    Any,
    /// The copies take the same arm.
    Same,
}

impl<'c: 'a, 'a> Accesses<'c, 'a> {
    /// How the copies do a branch; nothing if an arm has effects.
    pub(crate) fn merging(&self, branch: scf::If<'c, 'a>) -> Option<Merging> {
        let operations = branch.pre_order();
        let is_plain = |operation: &OperationRef<'c, 'a>| {
            operation.is_pure()
                || operation.is_terminator()
                || operation.isa::<typed::Load>()
                || operation.isa::<typed::RaiseIf>()
                || operation.isa::<scf::If>()
        };
        let is_number = |value: &Value<'c, 'a>| {
            let r#type = value.ty();
            IntegerType::try_from(r#type).is_ok() || Number::of(r#type).is_some()
        };
        if !operations.iter().all(is_plain) || !branch.results().iter().all(is_number) {
            return None;
        }
        let otherwise = branch.else_region().entry();
        let has_one_arm = otherwise.is_some_and(|block| block.operation_list().len() == 1);
        if has_one_arm && !self.varies(branch.condition()) {
            return Some(Merging::Same);
        }
        let costs = operations
            .iter()
            .map(|operation| match AnyOp::of(*operation) {
                AnyOp::Scf(_) => Some(0),
                _ => operation.cost(),
            });
        let cost = costs.sum::<Option<i64>>();
        // Nearly all are unequal.
        let compared = typed::Compare::defining(branch.condition());
        let is_likely = compared.is_some_and(|compared| compared.kind() == CompareKind::Ne);
        let costs_up_to = |most| cost.is_some_and(|cost| cost <= most);
        match has_one_arm {
            true if is_likely || costs_up_to(CHEAP) => Some(Merging::Selects),
            true => Some(Merging::Any),
            false => costs_up_to(BOTH).then_some(Merging::Selects),
        }
    }

    /// What the copies of the loops to jam do although the program may not; nothing if that can't be.
    pub(super) fn speculated(&self, segments: &[Segment<'c, 'a>]) -> Option<Speculated<'c, 'a>> {
        let mut found = Speculated::default();
        let mut has_stored = false;
        for segment in segments {
            has_stored |= segment.stores();
            let Segment::Loop(inner) = segment else {
                continue;
            };
            let has_checks = segment.checks();
            // What is stored ahead of a check that fails can't be taken back.
            if has_checks && has_stored {
                return None;
            }
            for load in inner.nested_ops::<typed::Load>() {
                if has_checks || (is_conditional(load, **inner) && !is_done_anyway(load, **inner)) {
                    self.need_within(load, &mut found)?;
                }
            }
        }
        Some(found)
    }

    /// Needs the indices of a load to be its array's for all positions in the nest.
    fn need_within(&self, load: typed::Load<'c, 'a>, found: &mut Speculated<'c, 'a>) -> Option<()> {
        let array = load.array();
        if load.wraparound() || array.is_inside(*self.outer) {
            return None;
        }
        for (dimension, index) in load.indices().into_iter().enumerate() {
            let indices = self.indices_of(index, *load)?;
            found.require(Within {
                array,
                dimension,
                indices,
            });
        }
        Some(())
    }

    /// Whether a value is the same in all of the nest, and may be computed before it.
    fn is_fixed(&self, value: &Value<'c, 'a>) -> bool {
        let is_outside = |value: &Value<'c, 'a>| !value.is_inside(*self.outer);
        is_outside(value)
            || value.defining_op().is_some_and(|operation| {
                let operands = operation.operand_values();
                operation.is_pure()
                    && operation.region_list().is_empty()
                    && operands.iter().all(is_outside)
            })
    }

    /// What an index is for all positions in the nest.
    fn indices_of(
        &self,
        index: Value<'c, 'a>,
        user: OperationRef<'c, 'a>,
    ) -> Option<Indices<'c, 'a>> {
        let is_fixed = |value: &Value<'c, 'a>| self.is_fixed(value);
        let mut around = user.parent();
        while let Some(operation) = around.filter(|one| one.is_within(*self.outer)) {
            around = operation.parent();
            let Some(r#loop) = scf::For::of(operation) else {
                continue;
            };
            let (lower, upper) = (r#loop.lower_bound(), r#loop.upper_bound());
            match index_of(index, r#loop.region().entry()?) {
                Index::Counts(added) if [lower, upper].iter().chain(&added).all(is_fixed) => {
                    return Some(Indices::Range(lower, upper, added));
                }
                Index::Invariant(index) if is_fixed(&index) => return Some(Indices::One(index)),
                _ => {}
            }
        }
        None
    }
}

/// Whether a load is in an arm of a branch in a loop.
fn is_conditional<'c: 'a, 'a>(load: typed::Load<'c, 'a>, inner: OperationRef<'c, 'a>) -> bool {
    let mut around = load.parent();
    while let Some(operation) = around.filter(|one| *one != inner) {
        if operation.isa::<scf::If>() {
            return true;
        }
        around = operation.parent();
    }
    false
}

/// Whether each iteration loads an element of a conditional load in any case.
fn is_done_anyway<'c: 'a, 'a>(load: typed::Load<'c, 'a>, inner: OperationRef<'c, 'a>) -> bool {
    inner.nested_ops::<typed::Load>().into_iter().any(|other| {
        let body = other.parent();
        let is_around = body.is_some_and(|body| load.is_within(body));
        is_around
            && !is_conditional(other, inner)
            && (other.array(), other.indices()) == (load.array(), load.indices())
    })
}
