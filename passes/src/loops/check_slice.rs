//! The backward slice of a loop body that its checks depend on: enough of the body to tell, ahead
//! of the loop, whether an iteration raises.

use super::permutable::read_arrays;
use crate::infra::{
    BlockExt, Builder, CmpInt, Identity, Key, OperationExt, RegionExt, ValueExt,
    copies::{Mapping, copy},
    emit::{Emit, mapped},
    ops::{AnyOp, scf, typed},
};
use melior::ir::{BlockRef, OperationRef, Value, r#type::IntegerType};
use pyopt_dialects::{
    enums::{BinaryKind, UnaryKind},
    typed::{Layout, array_type},
};
use std::collections::HashSet;

/// The backward slice of the conditions of a body's checks.
pub(crate) struct CheckSlice<'c, 'a> {
    body: BlockRef<'c, 'a>,
    needed: HashSet<Key>,
    /// The loads in the slice.
    loads: Vec<typed::Load<'c, 'a>>,
    /// Whether the induction variable is in the slice.
    counts: bool,
    /// Upper bounds for the indices of unconditional loads, to be checked once for the whole loop.
    pub limits: Vec<Limit<'c, 'a>>,
}

/// An index of a load, and the dimension that it has to stay below.
pub(crate) struct Limit<'c, 'a> {
    /// The array.
    pub array: Value<'c, 'a>,
    /// Its dimension.
    pub dimension: usize,
    /// The index as a function of the induction variable.
    pub index: Index<'c, 'a>,
}

/// An index as a function of a loop's induction variable.
#[derive(Clone, Copy)]
pub(crate) enum Index<'c, 'a> {
    /// It is loop-invariant.
    Invariant(Value<'c, 'a>),
    /// It is the induction variable, plus an invariant value if there is one.
    Counts(Option<Value<'c, 'a>>),
    /// It is neither.
    Other,
}

impl<'c: 'a, 'a> CheckSlice<'c, 'a> {
    /// The slice of a loop body in which every operation satisfies [`is_plain`], over pairwise
    /// disjoint arrays defined outside. `None` where evaluating it ahead would cost more than the
    /// checks, or would be illegal.
    pub fn of(body: BlockRef<'c, 'a>, inside: &[OperationRef<'c, 'a>]) -> Option<Self> {
        let mut slice = Self {
            body,
            needed: HashSet::new(),
            loads: Vec::new(),
            counts: false,
            limits: Vec::new(),
        };
        for check in inside.iter().copied().filter_map(typed::RaiseIf::of) {
            slice.need(check.condition())?;
            // Whether it is reachable.
            let mut around = check.parent()?;
            while let Some(branch) = scf::If::of(around) {
                slice.need(branch.condition())?;
                around = branch.parent()?;
            }
        }
        for load in slice.loads.clone() {
            slice.note_limits(load);
            if slice.is_stored_to(load, inside) {
                return None;
            }
        }
        Some(slice)
    }

    fn need(&mut self, value: Value<'c, 'a>) -> Option<()> {
        if !is_inside(value, self.body) {
            return Some(());
        }
        let Some(operation) = value.defining_op() else {
            // The induction variable; loop-carried values are unknown ahead of the loop.
            self.counts = true;
            return (value.position() == 0).then_some(());
        };
        if !self.needed.insert(operation.key()) {
            return Some(());
        }
        if let Some(load) = typed::Load::of(operation) {
            self.loads.push(load);
        } else if !operation.is_pure() || !is_cheap(operation) || has_regions(operation) {
            return None;
        }
        operation
            .operand_values()
            .into_iter()
            .try_for_each(|operand| self.need(operand))
    }

    fn note_limits(&mut self, load: typed::Load<'c, 'a>) {
        for (dimension, index) in load.indices().into_iter().enumerate() {
            self.limits.push(Limit {
                array: load.array(),
                dimension,
                index: self.index(index),
            });
        }
    }

    /// Whether another iteration may store to the loaded element, given that the array overlaps
    /// with no other one.
    fn is_stored_to(&self, load: typed::Load<'c, 'a>, inside: &[OperationRef<'c, 'a>]) -> bool {
        let is_own = self.walks_through(load);
        let mut later = false;
        inside.iter().any(|operation| {
            later |= *operation == *load;
            let store = typed::Store::of(*operation);
            store.is_some_and(|store| {
                store.array() == load.array()
                    && !(later && is_own && store.indices() == load.indices())
            })
        })
    }

    /// Whether a load reads a different element in each iteration.
    fn walks_through(&self, load: typed::Load<'c, 'a>) -> bool {
        let is_contiguous = array_type(load.array().ty())
            .is_some_and(|array| matches!(array.layout, Layout::C | Layout::F));
        is_contiguous
            && load
                .indices()
                .into_iter()
                .any(|index| matches!(self.index(index), Index::Counts(_)))
    }

    fn index(&self, index: Value<'c, 'a>) -> Index<'c, 'a> {
        index_of(index, self.body)
    }

    /// Whether the slice is loop-invariant.
    pub fn is_invariant(&self) -> bool {
        !self.counts && self.loads.is_empty()
    }

    /// Emits the slice for one value of the induction variable, and returns whether a check fails
    /// or an index is out of bounds.
    pub fn emit(&self, builder: &Builder<'c, 'a>, position: Value<'c, 'a>) -> Value<'c, 'a> {
        let mut mapping = vec![(self.body.argument_value(0), position)];
        self.emit_block(builder, &self.body.operation_list(), None, &mut mapping)
    }

    /// Emits the part of some operations that is in the slice; `failed` says whether an earlier
    /// check fails.
    fn emit_block(
        &self,
        builder: &Builder<'c, 'a>,
        operations: &[OperationRef<'c, 'a>],
        mut failed: Option<Value<'c, 'a>>,
        mapping: &mut Mapping<'c, 'a>,
    ) -> Value<'c, 'a> {
        for (at, operation) in operations.iter().enumerate() {
            if let Some(stop) = self.stop(builder, *operation, failed, mapping) {
                // What follows is reached only if nothing failed.
                return self.emit_unless(builder, stop, &operations[at..], mapping);
            }
            if let Some(check) = typed::RaiseIf::of(*operation) {
                let condition = mapped(mapping, check.condition());
                failed = Some(join(builder, failed, condition));
            } else if let Some(branch) = scf::If::of(*operation).filter(|one| holds_check(*one)) {
                let condition = self.emit_if(builder, branch, mapping);
                failed = Some(join(builder, failed, condition));
            } else if self.needed.contains(&operation.key()) {
                copy(builder, *operation, mapping);
            }
        }
        failed.unwrap_or_else(|| builder.bool(false))
    }

    /// Emits the slice from an operation on that is reached only where `stop` is false.
    fn emit_unless(
        &self,
        builder: &Builder<'c, 'a>,
        stop: Value<'c, 'a>,
        operations: &[OperationRef<'c, 'a>],
        mapping: &mut Mapping<'c, 'a>,
    ) -> Value<'c, 'a> {
        let (branch, stopped, reached) = builder.scf_if(stop, &[builder.i(1)]);
        builder.at_end(stopped);
        builder.scf_yield(&[stop]);
        builder.at_end(reached);
        let (first, rest) = operations.split_first().expect("an operation is reached");
        let mut failed = None;
        match scf::If::of(*first) {
            Some(branch) => failed = Some(self.emit_if(builder, branch, mapping)),
            None => copy(builder, *first, mapping),
        }
        let failed = self.emit_block(builder, rest, failed, mapping);
        builder.scf_yield(&[failed]);
        builder.after(branch);
        branch.result_value(0)
    }

    /// Emits the slice of both branches of an `scf.if`.
    fn emit_if(
        &self,
        builder: &Builder<'c, 'a>,
        operation: scf::If<'c, 'a>,
        mapping: &mut Mapping<'c, 'a>,
    ) -> Value<'c, 'a> {
        let condition = mapped(mapping, operation.condition());
        let (branch, yes, no) = builder.scf_if(condition, &[builder.i(1)]);
        let regions = [operation.then_region(), operation.else_region()];
        for (block, region) in [yes, no].into_iter().zip(regions) {
            builder.at_end(block);
            let operations = region.entry();
            let operations = operations.map_or(Vec::new(), BlockExt::operation_list);
            let failed = self.emit_block(builder, &operations, None, mapping);
            builder.scf_yield(&[failed]);
        }
        builder.after(branch);
        branch.result_value(0)
    }

    /// The condition under which an operation must not be evaluated, if there is one: an earlier
    /// check failed, or an index would be out of bounds.
    fn stop(
        &self,
        builder: &Builder<'c, 'a>,
        operation: OperationRef<'c, 'a>,
        failed: Option<Value<'c, 'a>>,
        mapping: &Mapping<'c, 'a>,
    ) -> Option<Value<'c, 'a>> {
        if operation.isa::<scf::If>() {
            return failed.filter(|_| self.loads.iter().any(|load| load.is_within(operation)));
        }
        let load = typed::Load::of(operation).filter(|load| self.loads.contains(load))?;
        let mut stop = failed;
        for (dimension, index) in load.indices().into_iter().enumerate() {
            if matches!(self.index(index), Index::Other) {
                let index = builder.cast(mapped(mapping, index), builder.index_type());
                let size = builder.dim(load.array(), dimension);
                stop = Some(join(builder, stop, builder.cmpi(CmpInt::Uge, index, size)));
            }
        }
        stop
    }
}

/// Whether a loop with this operation can be vectorised once its checks are gone.
pub(crate) fn is_plain(operation: OperationRef) -> bool {
    match AnyOp::of(operation) {
        AnyOp::Typed(typed::Op::RaiseIf(_) | typed::Op::Load(_) | typed::Op::Store(_))
        | AnyOp::Scf(scf::Op::If(_) | scf::Op::Yield(_)) => true,
        AnyOp::Typed(typed::Op::Binary(binary)) => !is_division(binary),
        _ => {
            let is_pure = operation.is_pure() && !has_regions(operation);
            is_pure || read_arrays(operation).is_some()
        }
    }
}

/// Whether an operation is a check that can be evaluated ahead: of what [`is_plain`] allows, nothing
/// else raises.
pub(crate) fn is_check(operation: OperationRef) -> bool {
    operation.isa::<typed::RaiseIf>()
}

/// An index as a function of the induction variable of the loop with this body.
pub(crate) fn index_of<'c: 'a, 'a>(index: Value<'c, 'a>, body: BlockRef<'c, 'a>) -> Index<'c, 'a> {
    if !is_inside(index, body) {
        return Index::Invariant(index);
    }
    let Some(operation) = index.defining_op() else {
        return match index.position() {
            0 if index.defining_block() == body => Index::Counts(None),
            _ => Index::Other,
        };
    };
    let is_word = IntegerType::try_from(index.ty()).is_ok_and(|r#type| r#type.width() == 64);
    match typed::Op::of(operation) {
        Some(typed::Op::Cast(cast)) if is_word => match index_of(cast.operand(), body) {
            Index::Counts(added) => Index::Counts(added),
            _ => Index::Other,
        },
        Some(typed::Op::Binary(sum)) if is_word && sum.kind() == BinaryKind::Add => {
            match (index_of(sum.lhs(), body), index_of(sum.rhs(), body)) {
                (Index::Counts(None), Index::Invariant(added))
                | (Index::Invariant(added), Index::Counts(None)) => Index::Counts(Some(added)),
                _ => Index::Other,
            }
        }
        _ => Index::Other,
    }
}

/// Whether an operation costs a few cycles at most.
fn is_cheap(operation: OperationRef) -> bool {
    match typed::Op::of(operation) {
        Some(typed::Op::Unary(unary)) => CHEAP.contains(&unary.kind()),
        Some(typed::Op::Binary(binary)) => !matches!(
            binary.kind(),
            BinaryKind::Pow
                | BinaryKind::Atan2
                | BinaryKind::Hypot
                | BinaryKind::Fmod
                | BinaryKind::NextAfter
        ),
        _ => true,
    }
}

/// The functions that have a machine instruction.
const CHEAP: &[UnaryKind] = &[
    UnaryKind::Neg,
    UnaryKind::Invert,
    UnaryKind::Abs,
    UnaryKind::Sqrt,
    UnaryKind::Floor,
    UnaryKind::Ceil,
    UnaryKind::Trunc,
    UnaryKind::Rint,
    UnaryKind::IsNan,
    UnaryKind::IsInf,
    UnaryKind::IsFinite,
    UnaryKind::Real,
    UnaryKind::Imag,
    UnaryKind::Conj,
    UnaryKind::Sign,
];

/// Whether an operation is a division without a vector instruction.
fn is_division(binary: typed::Binary) -> bool {
    matches!(binary.kind(), BinaryKind::FloorDiv | BinaryKind::Mod)
        && typed::Constant::defining(binary.rhs()).is_none()
}

fn holds_check(branch: scf::If) -> bool {
    branch.pre_order().into_iter().any(is_check)
}

fn has_regions(operation: OperationRef) -> bool {
    !operation.region_list().is_empty()
}

/// Whether a value is defined in a body, or is one of its arguments.
pub(crate) fn is_inside<'c: 'a, 'a>(value: Value<'c, 'a>, body: BlockRef<'c, 'a>) -> bool {
    let block = value.defining_block();
    let parent = body.parent().expect("a body is a loop's");
    block == body
        || block
            .parent()
            .is_some_and(|operation| operation.is_within(parent))
}

fn join<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    one: Option<Value<'c, 'a>>,
    other: Value<'c, 'a>,
) -> Value<'c, 'a> {
    one.map_or(other, |one| builder.or(one, other))
}
