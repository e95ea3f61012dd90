//! Loop versioning on the sign of a range's start, for indices that are negative only if it is.
//!
//! In `for k in range(starts[i], starts[i + 1]): total += values[k]` the index may be negative, and
//! a test in each iteration costs more than the load. The sign of `starts[i]` is one test for the
//! whole loop: if it isn't negative, a version without wrap-around runs.

use super::check_slice::is_inside;
use crate::{
    analysis::{
        affine::{Sum, is_word},
        element_access::ElementAccess,
        interval::Intervals,
    },
    infra::{
        AttributeExt, BlockExt, Builder, CmpInt, OperationAttributes, OperationExt,
        OperationInterfaces, PassContext, PassResult, PassSpec, REMARKS, RegionExt, StatisticSpec,
        ValueExt,
        copies::{Mapping, copy},
        emit::{Emit, mapped},
        loop_annotations::{self, annotate_loop},
        ops::{arith, func, marks, scf, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, Value, operation::OperationLike};
use pyopt_dialects::enums::BinaryKind;

/// The `typed-version-wraparound` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Takes innermost loops in which indices would be known not to be negative if the \
        start of a range, what is added to an item of a range, what a value that the loop carries and \
        only adds to begins with, and both ends of an index that goes down were. Whether they are is \
        tested before the loop; a copy of the loop does those accesses without wrap-around. The other \
        one is for the exception, and is neither vectorised nor unrolled.",
    anchor: func::Func::NAME,
    dialects: &["arith", "llvm", "scf", "typed"],
    options: &[REMARKS],
    statistics: &[StatisticSpec::new(
        "versioned",
        "loops that have a copy for indices that aren't negative",
    )],
    ..PassSpec::new(
        "typed-version-wraparound",
        "copy loops for ranges that don't start below zero",
        run,
    )
};

/// In a loop with more operations than this the comparison in each access is negligible.
const LARGE: usize = 96;
/// How many definitions to follow from an index.
const DEPTH: usize = 8;
/// The largest constant offset that is taken into account.
const FAR: i64 = 1 << 32;
/// A sum below this and what is added in the loop, trip counts, stay below what may wrap around
/// without harm: see [`Interval::is_index`](crate::analysis::interval::Interval::is_index).
const SUM: i64 = 1 << 62;
/// Trip counts stay below.
const COUNT: i128 = 1 << 56;
/// The largest coefficient of the loop's position in an index: in [`COUNT`] iterations the index moves by
/// no more than [`SUM`].
const SLOPE: i128 = 64;
/// The most terms of an index that are added up before the loop.
const TERMS: usize = 6;

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    for r#loop in function.nested_ops::<scf::For>() {
        if let Some(versions) = Versions::of(r#loop) {
            let location = r#loop.location();
            versions.make(&builder);
            let message = "has a copy for indices that aren't negative, chosen by a test before it";
            cx.transformed("versioned", location, message);
        }
    }
    Ok(())
}

/// A run-time condition on an invariant value under which an index isn't negative.
#[derive(Clone, PartialEq)]
enum Need<'c, 'a> {
    AtLeast(Value<'c, 'a>, i64),
    /// The sum with another value and a constant is neither negative nor so large that an index
    /// that begins with it wraps around. The terms alone may be negative, as in a window around a
    /// place, and the sum may have wrapped around: so does the index, to the same number.
    Sum(Value<'c, 'a>, Option<Value<'c, 'a>>, i64),
    /// An index that goes down is neither negative nor too large in the first and the last iteration,
    /// and so in none between.
    Span(Descent<'c, 'a>),
}

/// An index `number + Σ factor · term - slope · position`, modulo 2^64, whose terms are invariant.
#[derive(Clone, PartialEq)]
struct Descent<'c, 'a> {
    number: i64,
    /// A value, or an array and the dimension of which the size is the term; and its factor.
    terms: Vec<(Value<'c, 'a>, Option<usize>, i64)>,
    slope: i64,
}

/// A loop to version.
struct Versions<'c, 'a> {
    r#loop: scf::For<'c, 'a>,
    body: BlockRef<'c, 'a>,
    needs: Vec<Need<'c, 'a>>,
    /// The accesses, by their number in the loop's pre-order, that need no wrap-around in the fast
    /// version.
    accesses: Vec<usize>,
}

impl<'c: 'a, 'a> Versions<'c, 'a> {
    fn of(r#loop: scf::For<'c, 'a>) -> Option<Self> {
        let inside = r#loop.pre_order();
        let is_inner = |operation: &OperationRef| !operation.is_loop();
        let wrapping = |operation: &OperationRef<'c, 'a>| {
            ElementAccess::of(*operation).filter(|access| access.wraparound())
        };
        if inside.len() > LARGE
            || r#loop.flag_attr(marks::HOISTED)
            || !inside.iter().any(|access| wrapping(access).is_some())
            || !inside[1..].iter().all(is_inner)
        {
            return None;
        }
        let mut versions = Self {
            r#loop,
            body: r#loop.region().entry()?,
            needs: Vec::new(),
            accesses: Vec::new(),
        };
        let mut intervals = Intervals::default();
        for (at, operation) in inside.iter().enumerate() {
            if let Some(access) = wrapping(operation) {
                versions.take_in(at, access, &mut intervals);
            }
        }
        (!versions.accesses.is_empty()).then_some(versions)
    }

    /// Collects the conditions under which an access needs no wrap-around, if they can be evaluated
    /// before the loop. If only invariant indices need a test the access is left to LLVM, which
    /// hoists the test.
    fn take_in(&mut self, at: usize, access: ElementAccess<'c, 'a>, intervals: &mut Intervals) {
        let mut needs = Vec::new();
        let mut varies = false;
        for index in &access.indices() {
            if intervals.of_index(*index).is_index() {
                continue;
            }
            let needed = if is_word(*index) && self.is_invariant(*index, DEPTH) {
                Some(vec![Need::AtLeast(*index, 0)])
            } else {
                varies = true;
                self.needs_of(*index, 0, intervals, DEPTH)
                    .or_else(|| Some(vec![Need::Span(self.descent(*index)?)]))
            };
            match needed {
                Some(needed) => needs.extend(needed),
                None => return,
            }
        }
        if !varies {
            return;
        }
        self.accesses.push(at);
        for need in needs {
            if !self.needs.contains(&need) {
                self.needs.push(need);
            }
        }
    }

    /// The conditions under which a varying value plus `added` isn't negative.
    fn needs_of(
        &self,
        value: Value<'c, 'a>,
        added: i64,
        intervals: &mut Intervals,
        depth: usize,
    ) -> Option<Vec<Need<'c, 'a>>> {
        if let Some(init) = self.carried_upwards(value, intervals) {
            return Some(vec![Need::Sum(init, None, added)]);
        }
        let operation = value
            .defining_op()
            .filter(|_| depth > 0 && is_word(value))?;
        if let Some(start) = self.start(operation) {
            return Some(vec![Need::AtLeast(start, -added)]);
        }
        if let Some(cast) = typed::Cast::of(operation) {
            return self.needs_of(cast.operand(), added, intervals, depth - 1);
        }
        let binary = typed::Binary::of(operation)?;
        let sides = [binary.lhs(), binary.rhs()];
        let constants = sides.map(|side| intervals.of(side).constant());
        let near = |constant: i128| i64::try_from(constant).ok().filter(|c| c.abs() <= FAR);
        let (term, step) = match (binary.kind(), constants) {
            (BinaryKind::Add, [_, Some(step)]) => (sides[0], near(step)?),
            (BinaryKind::Add, [Some(step), _]) => (sides[1], near(step)?),
            (BinaryKind::Sub, [_, Some(step)]) => (sides[0], -near(step)?),
            (BinaryKind::Add, _) => return self.needs_of_terms(sides, added, intervals),
            _ => return None,
        };
        let added = added.checked_add(step).filter(|added| added.abs() <= FAR)?;
        self.needs_of(term, added, intervals, depth - 1)
    }

    /// What a value begins with that the loop carries and only adds to, a little in each iteration: it is
    /// no less, and as it begins below [`SUM`] it stays below twice that.
    fn carried_upwards(
        &self,
        value: Value<'c, 'a>,
        intervals: &mut Intervals,
    ) -> Option<Value<'c, 'a>> {
        let mut arguments = self.body.argument_values().into_iter();
        let position = arguments.position(|argument| argument == value)?;
        let position = position.checked_sub(1).filter(|_| is_word(value))?;
        let grows = intervals.grows(self.r#loop, position);
        grows.then(|| self.r#loop.init_args()[position])
    }

    /// The condition under which a sum of two terms and a constant isn't negative.
    fn needs_of_terms(
        &self,
        terms: [Value<'c, 'a>; 2],
        added: i64,
        intervals: &mut Intervals,
    ) -> Option<Vec<Need<'c, 'a>>> {
        let mut bases = Vec::new();
        for term in terms {
            let interval = intervals.of(term);
            if interval.low >= 0 && interval.high <= COUNT {
                continue;
            }
            bases.push(match self.is_invariant(term, DEPTH) {
                true => term,
                false => self.start(term.defining_op()?)?,
            });
        }
        match bases[..] {
            [] if added < 0 => None,
            [] => Some(Vec::new()),
            [value, ..] => Some(vec![Need::Sum(value, bases.get(1).copied(), added)]),
        }
    }

    /// The form of an index that goes down with the loop's position, as in a range with a negative step,
    /// and that is known before the loop but for that.
    fn descent(&self, index: Value<'c, 'a>) -> Option<Descent<'c, 'a>> {
        let constant = |value| arith::Constant::defining(value)?.value().integer_value();
        let counts = [self.r#loop.lower_bound(), self.r#loop.step()].map(constant);
        if !is_word(index) || counts != [Some(0), Some(1)] {
            return None;
        }
        let sum = Sum::of(index);
        let position = *self.body.argument_values().first()?;
        let slope = -sum.factor_of(position);
        if !(1..=SLOPE).contains(&slope) {
            return None;
        }
        let mut terms = Vec::new();
        for (value, dimension, factor) in sum.terms() {
            if value == position {
                continue;
            }
            let is_known = match dimension {
                Some(_) => !is_inside(value, self.body),
                None => is_word(value) && self.is_invariant(value, DEPTH),
            };
            if !is_known || terms.len() == TERMS {
                return None;
            }
            terms.push((value, dimension, i64::try_from(factor).ok()?));
        }
        Some(Descent {
            number: i64::try_from(sum.number()).ok()?,
            terms,
            slope: i64::try_from(slope).ok()?,
        })
    }

    /// The start of the ascending range of which an operation computes the items, if it is known
    /// before the loop.
    fn start(&self, operation: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
        let sum = typed::Binary::of(operation).filter(|sum| sum.flag_attr(marks::ASCENDING))?;
        let start = sum.lhs();
        (is_word(start) && self.is_invariant(start, DEPTH)).then_some(start)
    }

    /// Whether a number is invariant and can be computed before the loop.
    fn is_invariant(&self, value: Value<'c, 'a>, depth: usize) -> bool {
        if !is_inside(value, self.body) {
            return true;
        }
        let computed = value.defining_op().filter(|operation| {
            let sums = [BinaryKind::Add, BinaryKind::Sub, BinaryKind::Mul];
            let is_plain = match typed::Op::of(*operation) {
                Some(typed::Op::Cast(_) | typed::Op::Constant(_)) => true,
                Some(typed::Op::Binary(binary)) => sums.contains(&binary.kind()),
                _ => false,
            };
            depth > 0 && is_plain
        });
        computed.is_some_and(|operation| {
            let mut operands = operation.operand_values().into_iter();
            is_word(value)
                && operands.all(|operand| is_word(operand) && self.is_invariant(operand, depth - 1))
        })
    }

    /// Emits both versions of the loop under an `scf.if`.
    fn make(&self, builder: &Builder<'c, 'a>) {
        builder.before(*self.r#loop);
        let mut mapping = Mapping::new();
        let mut may = builder.bool(true);
        for need in &self.needs {
            may = builder.and(may, self.holds(builder, need, &mut mapping));
        }
        let (branch, yes, no) = builder.scf_if(may, &self.r#loop.result_types());
        builder.at_end(yes);
        let plain = builder.clone_op(*self.r#loop, &[]);
        let copies = plain.pre_order();
        for access in self
            .accesses
            .iter()
            .map(|at| ElementAccess::of(copies[*at]))
        {
            access.expect("a copy of an access").set_wraparound(false);
        }
        builder.scf_yield(&plain.result_values());
        builder.at_end(no);
        let rest = builder.clone_op(*self.r#loop, &[]);
        annotate_loop(builder, rest, loop_annotations::PLAIN);
        builder.scf_yield(&rest.result_values());
        builder.after(branch);
        builder.replace_op(*self.r#loop, &branch.result_values());
    }

    /// Emits the test of a condition before the loop.
    fn holds(
        &self,
        builder: &Builder<'c, 'a>,
        need: &Need<'c, 'a>,
        mapping: &mut Mapping<'c, 'a>,
    ) -> Value<'c, 'a> {
        let mut before = |value| {
            let value = self.before_loop(builder, value, mapping);
            builder.cast(value, builder.index_type())
        };
        let add = |x, y| builder.bin(arith::AddI::NAME, x, y);
        let times = |value, factor| match factor {
            1 => value,
            _ => builder.bin(arith::MulI::NAME, value, builder.index(factor)),
        };
        let is_small = |sum| builder.cmpi(CmpInt::Ult, sum, builder.index(SUM));
        match need {
            Need::AtLeast(value, least) => {
                let value = before(*value);
                builder.cmpi(CmpInt::Sge, value, builder.index(*least))
            }
            Need::Sum(value, other, added) => {
                let value = before(*value);
                let sum = other.map_or(value, |other| add(value, before(other)));
                is_small(add(sum, builder.index(*added)))
            }
            Need::Span(Descent {
                number,
                terms,
                slope,
            }) => {
                let mut first = builder.index(*number);
                for (value, dimension, factor) in terms {
                    let term = match dimension {
                        Some(dimension) => builder.dim(*value, *dimension),
                        None => before(*value),
                    };
                    first = add(first, times(term, *factor));
                }
                let rest = add(self.r#loop.upper_bound(), builder.index(-1));
                let last = add(first, times(rest, -slope));
                builder.and(is_small(first), is_small(last))
            }
        }
    }

    /// Rematerialises an invariant value at the insertion point.
    fn before_loop(
        &self,
        builder: &Builder<'c, 'a>,
        value: Value<'c, 'a>,
        mapping: &mut Mapping<'c, 'a>,
    ) -> Value<'c, 'a> {
        let known = mapped(mapping, value);
        let operation = value.defining_op();
        match operation.filter(|_| known == value && is_inside(value, self.body)) {
            Some(operation) => {
                for operand in operation.operand_values() {
                    self.before_loop(builder, operand, mapping);
                }
                copy(builder, operation, mapping);
                mapped(mapping, value)
            }
            None => known,
        }
    }
}
