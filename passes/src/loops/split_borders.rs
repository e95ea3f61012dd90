//! Index set splitting: loops over the interior of an array, where nothing is clamped to its borders.
//!
//! `a[max(j - 1, 0)]` and `a[j - 1] if j > 0 else 0` cost a selection in each iteration, and the elements that they
//! read don't lie side by side for LLVM, which gathers them one by one. In all but the first and last iterations of
//! `for j in range(w)` they do.

use super::check_slice::is_inside;
use crate::{
    analysis::{
        affine::{Sum, constant_of, is_word},
        conditions::{mirrored, opposite},
        element_access::ElementAccess,
        interval::Intervals,
    },
    infra::{
        BlockExt, Builder, CmpInt, OperationExt, OperationInterfaces, PassContext, PassResult,
        PassSpec, REMARKS, RegionExt, StatisticSpec, ValueExt,
        emit::Emit,
        loop_annotations::{self, annotate_loop},
        ops::{AnyOp, arith, func, scf, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, Value, operation::OperationLike};
use pyopt_dialects::enums::{BinaryKind, CompareKind};

/// The `typed-split-borders` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Takes innermost loops from 0 over a size, in steps of one, in which the loop's position plus what \
        is known before the loop is the operand of a `min` or `max` with a known number, or is compared with one to \
        choose between it and a known number, or between doing more and less. Where all of these go one way, a copy of \
        the loop has none of them. The first and the last iterations, which may be none or all, are left as they \
        were, neither vectorised nor unrolled. The order of iterations stays.",
    anchor: func::Func::NAME,
    dialects: &["arith", "llvm", "scf", "typed"],
    options: &[REMARKS],
    statistics: &[StatisticSpec::new(
        "split",
        "loops with a copy for the interior",
    )],
    ..PassSpec::new(
        "typed-split-borders",
        "split off iterations at the borders of arrays",
        run,
    )
};

/// In a loop with more operations than this a selection is negligible.
const LARGE: usize = 96;
/// The most bounds of the interior.
const BOUNDS: usize = 8;
/// The most terms of a bound, which are added up before the loop.
const TERMS: usize = 6;
/// Branches on comparisons that go the other way for more iterations than this at an end aren't about borders.
const NEAR: i128 = 16;
/// How many operations to follow from a number to an index.
const DEPTH: usize = 3;
/// Numbers and sizes up to this can be added to one another without wrapping around.
const FAR: i64 = 1 << 61;

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    for r#loop in function.nested_ops::<scf::For>() {
        if let Some(interior) = Interior::of(r#loop) {
            let location = r#loop.location();
            interior.make(&builder);
            let message = "has a copy for the iterations in which nothing meets a border";
            cx.transformed("split", location, message);
        }
    }
    Ok(())
}

/// Which end of the loop a border is at.
#[derive(Clone, Copy, PartialEq)]
enum End {
    First,
    Last,
}

/// What is decided in the interior.
#[derive(Clone, Copy)]
enum Decision {
    /// A `min` or `max` is its operand of this number.
    Operand(usize),
    /// A branch takes its region of this number.
    Region(usize),
}

/// The interior of a loop.
struct Interior<'c, 'a> {
    r#loop: scf::For<'c, 'a>,
    body: BlockRef<'c, 'a>,
    position: Value<'c, 'a>,
    /// By the numbers of operations in the loop's pre-order.
    decisions: Vec<(usize, Decision)>,
    /// Results of operations that are decided, and what they are in the interior.
    known_as: Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
    /// The first iteration of the interior is no less, or the first one behind it no more.
    bounds: Vec<(End, Sum<'c, 'a>)>,
    /// What must be small for the bounds to be right.
    small: Vec<Sum<'c, 'a>>,
    /// The numbers of accesses whose indices don't count from the end in the interior.
    accesses: Vec<usize>,
    /// What must not be negative for that, alone or added to the interior's first position.
    starts: Vec<(Start, Sum<'c, 'a>)>,
}

/// What an index begins with.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    /// It is the same in all iterations.
    Fixed,
    /// It is that many from the position.
    FromPosition,
}

impl<'c: 'a, 'a> Interior<'c, 'a> {
    fn of(r#loop: scf::For<'c, 'a>) -> Option<Self> {
        let inside = r#loop.pre_order();
        let counts = [r#loop.lower_bound(), r#loop.step()].map(constant_of);
        let is_inner = |operation: &OperationRef| !operation.is_loop();
        if inside.len() > LARGE
            || counts != [Some(0), Some(1)]
            || !is_size(r#loop.upper_bound())
            || !inside[1..].iter().all(is_inner)
            || !inside.iter().any(|one| ElementAccess::of(*one).is_some())
        {
            return None;
        }
        let body = r#loop.region().entry()?;
        let mut interior = Self {
            r#loop,
            body,
            position: *body.argument_values().first()?,
            decisions: Vec::new(),
            known_as: Vec::new(),
            bounds: Vec::new(),
            small: Vec::new(),
            accesses: Vec::new(),
            starts: Vec::new(),
        };
        for (at, operation) in inside.iter().enumerate() {
            let decision = match typed::Binary::of(*operation) {
                Some(binary) => interior.clamp(binary),
                None => scf::If::of(*operation).and_then(|branch| interior.branch(branch)),
            };
            interior
                .decisions
                .extend(decision.map(|decision| (at, decision)));
        }
        let mut intervals = Intervals::default();
        for (at, operation) in inside.iter().enumerate() {
            if let Some(access) = ElementAccess::of(*operation)
                && access.wraparound()
                && let Some(starts) = interior.starts(access, &mut intervals)
            {
                interior.accesses.push(at);
                interior.starts.extend(starts);
            }
        }
        let is_worth_it =
            !interior.decisions.is_empty() && interior.bounds.len() <= BOUNDS && interior.is_wide();
        is_worth_it.then_some(interior)
    }

    /// Takes in `max(position + …, known)` and `min(position + …, known)`.
    fn clamp(&mut self, binary: typed::Binary<'c, 'a>) -> Option<Decision> {
        let kind = match binary.kind() {
            BinaryKind::Max => CompareKind::Ge,
            BinaryKind::Min => CompareKind::Le,
            _ => return None,
        };
        let sides = [binary.lhs(), binary.rhs()];
        let kept = sides.iter().position(|side| self.varies(*side))?;
        if !is_in_index(binary.result(), DEPTH) {
            return None;
        }
        self.bound(kind, sides[kept], sides[1 - kept])?;
        self.known_as.push((binary.result(), sides[kept]));
        Some(Decision::Operand(kept))
    }

    /// Takes in a branch on a comparison, or on several that must hold: the interior is where it takes the way that
    /// yields what varies, or that does more.
    fn branch(&mut self, branch: scf::If<'c, 'a>) -> Option<Decision> {
        let regions = branch.region_list();
        let blocks: Vec<_> = regions.iter().map(|region| region.entry()).collect();
        let work = blocks
            .iter()
            .map(|block| block.map_or(0, |block| block.operation_list().len()));
        let work: Vec<_> = work.collect();
        let taken = match work[..] {
            [yes, no] if yes > no => 0,
            [yes, no] if yes < no => 1,
            _ => return None,
        };
        let (bounds, small) = (self.bounds.len(), self.small.len());
        let decided = self.holds(branch.condition(), taken == 0).is_some();
        if !decided
            || !self.bounds[bounds..]
                .iter()
                .all(|bound| self.is_near_end(bound))
        {
            self.bounds.truncate(bounds);
            self.small.truncate(small);
            return None;
        }
        let yielded = blocks[taken]?.terminator_op()?.operand_values();
        self.known_as
            .extend(branch.result_values().into_iter().zip(yielded));
        Some(Decision::Region(taken))
    }

    /// Takes in the bounds under which a condition is what is wanted.
    fn holds(&mut self, condition: Value<'c, 'a>, wanted: bool) -> Option<()> {
        let operation = condition.defining_op()?;
        if let Some(both) = arith::AndI::of(operation).filter(|_| wanted) {
            self.holds(both.lhs(), true)?;
            return self.holds(both.rhs(), true);
        }
        if let Some(either) = arith::OrI::of(operation).filter(|_| !wanted) {
            self.holds(either.lhs(), false)?;
            return self.holds(either.rhs(), false);
        }
        let compare = typed::Compare::of(operation)?;
        let kind = match wanted {
            true => compare.kind(),
            false => opposite(compare.kind()),
        };
        match [compare.lhs(), compare.rhs()] {
            [varying, known] if self.varies(varying) => self.bound(kind, varying, known),
            [known, varying] => self.bound(mirrored(kind), varying, known),
        }
    }

    /// What must not be negative for the indices of an access to be none in the interior, where they only go up.
    fn starts(
        &self,
        access: ElementAccess<'c, 'a>,
        intervals: &mut Intervals,
    ) -> Option<Vec<(Start, Sum<'c, 'a>)>> {
        let mut starts = Vec::new();
        for index in access.indices() {
            if intervals.of_index(index).is_index() {
                continue;
            }
            if !is_word(index) {
                return None;
            }
            let sum = self.sum(index);
            let (start, sum) = match sum.factor_of(self.position) {
                0 => (Start::Fixed, sum),
                1 => (Start::FromPosition, sum.minus(&Sum::of(self.position))),
                _ => return None,
            };
            if !self.is_known(&sum) {
                return None;
            }
            starts.push((start, sum));
        }
        Some(starts)
    }

    /// Whether the interior is likely to have most of the iterations: its end is some way off the loop's, or
    /// the bounds are the same wherever loops around this one are. In a window that is moved over an array neither is.
    fn is_wide(&self) -> bool {
        let end = Sum::of(self.r#loop.upper_bound());
        let is_off_end = |(at, bound): &(End, Sum<'c, 'a>)| {
            let distance = bound.clone().minus(&end);
            let terms = distance.terms();
            let is_offset = |(value, dimension, _): &(Value<'c, 'a>, Option<usize>, i128)| {
                dimension.is_none() && end.factor_of(*value) == 0
            };
            *at == End::Last && terms.iter().all(is_offset)
        };
        self.bounds.iter().any(is_off_end)
            || !self
                .bounds
                .iter()
                .any(|(_, bound)| bound.values().any(is_in_loop))
    }

    /// Whether few iterations are beyond a bound.
    fn is_near_end(&self, (end, bound): &(End, Sum<'c, 'a>)) -> bool {
        let distance = match end {
            End::First => bound.as_number(),
            End::Last => bound
                .clone()
                .minus(&Sum::of(self.r#loop.upper_bound()))
                .as_number(),
        };
        distance.is_some_and(|distance| distance.abs() <= NEAR)
    }

    /// Whether a number is the loop's position plus what is known before the loop.
    fn varies(&self, value: Value<'c, 'a>) -> bool {
        is_word(value) && self.sum(value).factor_of(self.position) == 1
    }

    /// The affine form that a value has in the interior.
    fn sum(&self, value: Value<'c, 'a>) -> Sum<'c, 'a> {
        let known = |value| self.known_as.iter().find(|(result, _)| *result == value);
        let steps = std::iter::successors(Some(value), |value| known(*value).map(|(_, is)| *is));
        Sum::of(steps.last().unwrap_or(value))
    }

    /// Takes in the bound of the positions at which a varying number compares with a known one as wanted.
    fn bound(
        &mut self,
        kind: CompareKind,
        varying: Value<'c, 'a>,
        known: Value<'c, 'a>,
    ) -> Option<()> {
        if !is_word(varying) || !is_word(known) {
            return None;
        }
        let offset = self.sum(varying).minus(&Sum::of(self.position));
        let known = Sum::of(known);
        if ![&offset, &known].into_iter().all(|sum| self.is_known(sum)) {
            return None;
        }
        let (end, added) = match kind {
            CompareKind::Ge => (End::First, 0),
            CompareKind::Gt => (End::First, 1),
            CompareKind::Lt => (End::Last, 0),
            CompareKind::Le => (End::Last, 1),
            CompareKind::Eq | CompareKind::Ne => return None,
        };
        let position = known.clone().minus(&offset).plus_number(added);
        self.bounds.push((end, position));
        self.small.extend([offset, known]);
        Some(())
    }

    /// Whether a sum can be evaluated before the loop.
    fn is_known(&self, sum: &Sum<'c, 'a>) -> bool {
        let terms = sum.terms();
        terms.len() <= TERMS
            && i64::try_from(sum.number()).is_ok()
            && terms.into_iter().all(|(value, _, factor)| {
                !is_inside(value, self.body) && i64::try_from(factor).is_ok()
            })
    }

    /// Emits the three loops.
    fn make(&self, builder: &Builder<'c, 'a>) {
        builder.before(*self.r#loop).at(self.r#loop.location());
        let end = self.r#loop.upper_bound();
        let is_small = |value| {
            let shifted = builder.bin(arith::AddI::NAME, value, builder.index(FAR));
            builder.cmpi(CmpInt::Ult, shifted, builder.index(2 * FAR))
        };
        let mut right = is_small(end);
        for sum in &self.small {
            match sum.as_number() {
                Some(number) if number.abs() < i128::from(FAR) => {}
                _ => right = builder.and(right, is_small(evaluate(builder, sum))),
            }
        }
        let (mut first, mut last) = (self.r#loop.lower_bound(), end);
        for (at, bound) in &self.bounds {
            let bound = evaluate(builder, bound);
            match at {
                End::First => first = builder.bin(arith::MaxSI::NAME, first, bound),
                End::Last => last = builder.bin(arith::MinSI::NAME, last, bound),
            }
        }
        for (start, sum) in &self.starts {
            let mut index = evaluate(builder, sum);
            if *start == Start::FromPosition {
                right = builder.and(right, is_small(index));
                index = builder.bin(arith::AddI::NAME, index, first);
            }
            let holds = builder.cmpi(CmpInt::Sge, index, builder.index(0));
            right = builder.and(right, holds);
        }
        let some = builder.cmpi(CmpInt::Slt, first, last);
        let split = builder.and(right, some);

        // Where a bound may be wrong, or nothing is between them, the first loop has all iterations.
        let border = builder.select(split, first, end);
        let before = self.part(builder, None, border, &self.r#loop.init_args());
        annotate_loop(builder, before, loop_annotations::PLAIN);
        let border = builder.select(split, last, first);
        let interior = self.part(builder, Some(first), border, &before.result_values());
        let border = builder.select(split, last, end);
        let after = self.part(builder, Some(border), end, &interior.result_values());
        annotate_loop(builder, after, loop_annotations::PLAIN);
        self.decide(builder, interior);
        builder.replace_op(*self.r#loop, &after.result_values());
    }

    /// Copies the loop for some of its iterations.
    fn part(
        &self,
        builder: &Builder<'c, 'a>,
        from: Option<Value<'c, 'a>>,
        to: Value<'c, 'a>,
        carried: &[Value<'c, 'a>],
    ) -> OperationRef<'c, 'a> {
        let copy = builder.clone_op(*self.r#loop, &[]);
        let part = scf::For::of(copy).expect("a copy of a loop");
        if let Some(from) = from {
            part.set_lower_bound(from);
        }
        part.set_upper_bound(to);
        part.set_init_args(carried);
        copy
    }

    /// Takes the decisions out of a copy of the loop, inner ones first: what isn't taken goes with what is in it.
    fn decide(&self, builder: &Builder<'c, 'a>, copy: OperationRef<'c, 'a>) {
        let copies = copy.pre_order();
        for access in self
            .accesses
            .iter()
            .map(|at| ElementAccess::of(copies[*at]))
        {
            access.expect("a copy of an access").set_wraparound(false);
        }
        for (at, decision) in self.decisions.iter().rev() {
            let operation = copies[*at];
            match *decision {
                Decision::Operand(kept) => {
                    builder.replace_op(operation, &[operation.operand_value(kept)]);
                }
                Decision::Region(taken) => {
                    let block = operation.region_at(taken).entry();
                    let block = block.expect("the way that does more isn't empty");
                    let end = block.terminator_op().expect("blocks of branches yield");
                    let yielded = end.operand_values();
                    builder.inline_block(block, operation, &[]);
                    builder.erase_op(end);
                    builder.replace_op(operation, &yielded);
                }
            }
        }
    }
}

/// Whether a number is an index of an element, or a term of one.
fn is_in_index(value: Value, depth: usize) -> bool {
    value
        .uses()
        .into_iter()
        .any(|one| match ElementAccess::of(one.user) {
            Some(access) => access.indices().contains(&value),
            None => {
                let goes_on = one.user.isa::<typed::Binary>() || one.user.isa::<typed::Cast>();
                depth > 0 && goes_on && is_in_index(one.user.result_value(0), depth - 1)
            }
        })
}

/// Whether a loop's end is a size, or a number that isn't computed, give or take a constant: not a multiple, as in a
/// window.
fn is_size(end: Value) -> bool {
    let sum = Sum::of(end);
    let [(value, dimension, 1)] = sum.terms()[..] else {
        return false;
    };
    if dimension.is_some() {
        return true;
    }
    let Some(operation) = value.defining_op() else {
        return true;
    };
    // Counts of ranges that don't begin at 0 are cut off there.
    match AnyOp::of(operation) {
        AnyOp::Arith(arith::Op::Select(choice)) => is_size(choice.true_value()),
        AnyOp::Arith(arith::Op::MinUI(least)) => is_size(least.lhs()),
        _ => false,
    }
}

/// Whether a value is computed in a loop.
fn is_in_loop(value: Value) -> bool {
    let around = std::iter::successors(value.defining_block().parent(), |one| {
        one.parent_block()?.parent()
    });
    around.into_iter().any(|operation| operation.is_loop())
}

/// Computes a sum at the insertion point.
fn evaluate<'c: 'a, 'a>(builder: &Builder<'c, 'a>, sum: &Sum<'c, 'a>) -> Value<'c, 'a> {
    let number = i64::try_from(sum.number()).expect("checked when the sum was taken in");
    let mut total = builder.index(number);
    for (value, dimension, factor) in sum.terms() {
        let term = match dimension {
            Some(dimension) => builder.dim(value, dimension),
            None => builder.cast(value, builder.index_type()),
        };
        let factor = i64::try_from(factor).expect("checked when the sum was taken in");
        let term = match factor {
            1 => term,
            _ => builder.bin(arith::MulI::NAME, term, builder.index(factor)),
        };
        total = builder.bin(arith::AddI::NAME, total, term);
    }
    total
}
