//! Evaluates the checks of a loop ahead of it, a chunk of iterations at a time.
//!
//! An early exit keeps a loop scalar: `a[i] / b[i]` may raise ZeroDivisionError, after which no
//! later element may have been written. So a loop is split into chunks. For each chunk the backward
//! slice of its checks is evaluated first, which is small and vectorises; if no check fails, a copy
//! of the loop without checks runs the chunk. From the first chunk on with a failing check, the
//! original loop runs.

use super::{
    alias_scopes::set_disjoint,
    carried::has_order,
    check_slice::{CheckSlice, Index, Limit, is_check, is_inside, is_plain},
    permutable::accessed_arrays,
};
use crate::{
    analysis::{affine::constant_of, effects::may_alias, recurrence},
    infra::{
        BlockExt, Builder, CmpInt, OperationAttributes, OperationExt, PassContext, PassResult,
        PassSpec, REMARKS, RegionExt, StatisticSpec, ValueExt,
        emit::Emit,
        loop_annotations::{self, annotate_loop},
        ops::{arith, func, marks, scf, typed},
    },
};
use melior::ir::{Attribute, OperationRef, TypeLike, Value, operation::OperationLike};

/// The `typed-hoist-checks` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Takes innermost loops with a step of one that could be vectorised but for \
        `typed.raise_if`: without calls, divisions of integers, floats that are carried, but for sums in any order, and elements \
        that one of the iterations right before has stored. \
        The conditions must come from positions, values from outside and loads of arrays that the \
        loop doesn't store to; whether arrays overlap is tested at run time where it isn't known, \
        and the loop without checks says so in alias scopes. \
        Loads that run ahead stay within their arrays: positions beyond are left to the loop as it \
        was, which also does short loops. Conditions that are the same in all iterations are \
        tested once.",
    anchor: func::Func::NAME,
    dialects: &["arith", "llvm", "pyopt", "scf"],
    options: &[REMARKS],
    statistics: &[StatisticSpec::new(
        "hoisted",
        "loops whose checks run ahead of them",
    )],
    ..PassSpec::new(
        "typed-hoist-checks",
        "run the checks of loops ahead of them",
        run,
    )
};

/// Iterations in a chunk: what their checks load stays in the first-level cache.
const CHUNK: i64 = 256;
/// Iterations that are vectorised together: loops whose iterations need what one of so many before them has
/// stored stay scalar, whatever they check.
const WIDTH: i128 = 4;
/// Loops of fewer iterations stay as they are.
const SHORT: i64 = 16;

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    let name = function.symbol_name().unwrap_or_default();
    for (number, r#loop) in function.nested_ops::<scf::For>().into_iter().enumerate() {
        if let Some(checked) = CheckedLoop::of(r#loop, format!("{name} loop {number}")) {
            checked.hoist(&builder);
            r#loop.set_attr(marks::HOISTED, Attribute::unit(cx.context()));
            let message = match checked.slice.is_invariant() {
                true => {
                    "what it checks is the same in all iterations: it is checked once, before them"
                        .into()
                }
                false => format!(
                    "checks run ahead of it, for {CHUNK} iterations at a time; with fewer than \
                     {SHORT} iterations, and from the first that raises on, it checks as it goes"
                ),
            };
            cx.transformed("hoisted", r#loop.location(), message);
        }
    }
    Ok(())
}

/// A loop that can't be vectorised because of its checks.
struct CheckedLoop<'c, 'a> {
    r#loop: scf::For<'c, 'a>,
    /// A name for its alias scopes, unique in the module.
    name: String,
    slice: CheckSlice<'c, 'a>,
    /// The arrays that it accesses.
    arrays: Vec<Value<'c, 'a>>,
    /// The arrays that it stores to.
    written: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> CheckedLoop<'c, 'a> {
    fn of(r#loop: scf::For<'c, 'a>, name: String) -> Option<Self> {
        let body = r#loop.region().entry()?;
        let mut inside = r#loop.pre_order();
        inside.remove(0);
        if r#loop.flag_attr(marks::HOISTED)
            || !inside.iter().copied().any(is_check)
            || !inside.iter().copied().all(is_plain)
            || constant_of(r#loop.step()) != Some(1)
            || !body.argument_value(0).ty().is_index()
            || (0..r#loop.results().len()).any(|position| has_order(r#loop, position))
        {
            return None;
        }
        let mut arrays = Vec::new();
        let mut written = Vec::new();
        for access in &inside {
            for array in accessed_arrays(*access) {
                if is_inside(array, body) {
                    return None;
                }
                if !arrays.contains(&array) {
                    arrays.push(array);
                }
                if access.isa::<typed::Store>() && !written.contains(&array) {
                    written.push(array);
                }
            }
        }
        // What such iterations wait for is each other, not the checks.
        let distance = recurrence::shortest_distance(body.argument_value(0), &inside);
        if distance.is_some_and(|distance| distance < WIDTH) {
            return None;
        }
        let slice = CheckSlice::of(body, &inside)?;
        Some(Self {
            r#loop,
            name,
            slice,
            arrays,
            written,
        })
    }

    /// Inserts the chunked loop before the original one, which continues where the chunks end.
    fn hoist(&self, builder: &Builder<'c, 'a>) {
        builder.before(*self.r#loop);
        let end = self.end(builder);
        let done = if self.slice.is_invariant() {
            self.all_at_once(builder, end)
        } else {
            self.in_chunks(builder, end)
        };
        self.r#loop.set_lower_bound(done[0]);
        self.r#loop.set_init_args(&done[1..]);
    }

    /// The upper bound of the iterations whose checks may be evaluated ahead; the loop's lower
    /// bound if none may.
    fn end(&self, builder: &Builder<'c, 'a>) -> Value<'c, 'a> {
        let (lower, upper) = (self.r#loop.lower_bound(), self.r#loop.upper_bound());
        let count = builder.bin(arith::SubI::NAME, upper, lower);
        let mut may = builder.cmpi(CmpInt::Sge, count, builder.index(SHORT));
        let mut end = upper;
        for limit in &self.slice.limits {
            self.keep_below(builder, limit, &mut may, &mut end);
        }
        for (array, other) in self.possible_overlaps() {
            let overlaps = typed::Overlaps::create(builder, array, other).result();
            may = builder.and(may, builder.not(overlaps));
        }
        if self.slice.is_invariant() {
            let fails = self.slice.emit(builder, lower);
            may = builder.and(may, builder.not(fails));
        }
        builder.select(may, end, lower)
    }

    /// Pairs of arrays that may alias and of which at least one is stored to.
    fn possible_overlaps(&self) -> Vec<(Value<'c, 'a>, Value<'c, 'a>)> {
        let mut pairs = Vec::new();
        for (at, array) in self.arrays.iter().enumerate() {
            for other in &self.arrays[..at] {
                let is_written = self.written.contains(array) || self.written.contains(other);
                if is_written && may_alias(*array, *other) {
                    pairs.push((*array, *other));
                }
            }
        }
        pairs
    }

    /// Restricts the range to iterations in which an index is within bounds.
    fn keep_below(
        &self,
        builder: &Builder<'c, 'a>,
        limit: &Limit<'c, 'a>,
        may: &mut Value<'c, 'a>,
        end: &mut Value<'c, 'a>,
    ) {
        let zero = builder.index(0);
        let mut size = builder.dim(limit.array, limit.dimension);
        match limit.index {
            Index::Invariant(index) => {
                let index = builder.cast(index, builder.index_type());
                *may = builder.and(*may, builder.cmpi(CmpInt::Ult, index, size));
            }
            Index::Counts(added) => {
                let lower = self.r#loop.lower_bound();
                *may = builder.and(*may, builder.cmpi(CmpInt::Sge, lower, zero));
                if let Some(added) = added {
                    let added = builder.cast(added, builder.index_type());
                    *may = builder.and(*may, builder.cmpi(CmpInt::Sge, added, zero));
                    size = builder.bin(arith::SubI::NAME, size, added);
                }
                *end = builder.bin(arith::MinSI::NAME, *end, size);
            }
            Index::Other => {}
        }
    }

    /// With invariant checks: the loop without checks up to `end`. Returns the next value of the
    /// induction variable and the loop-carried values.
    fn all_at_once(&self, builder: &Builder<'c, 'a>, end: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let lower = self.r#loop.lower_bound();
        let mut done = vec![builder.bin(arith::MaxSI::NAME, lower, end)];
        done.extend(self.unchecked(builder, lower, end, &self.r#loop.init_args()));
        done
    }

    /// The chunked loop, which runs while no check fails; the results are those of
    /// [`Self::all_at_once`].
    fn in_chunks(&self, builder: &Builder<'c, 'a>, end: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let inits = [vec![self.r#loop.lower_bound()], self.r#loop.init_args()].concat();
        let index = builder.index_type();
        let types: Vec<_> = inits.iter().map(|init| init.ty()).collect();
        let passed = [&[index], &types[..]].concat();
        let chunks = scf::While::create(builder, &inits, &passed);

        let block = builder.append_block(chunks.before(), &types);
        let arguments = block.argument_values();
        let next = builder.bin(arith::AddI::NAME, arguments[0], builder.index(CHUNK));
        let next = builder.bin(arith::MinSI::NAME, next, end);
        let goes_on = self.passes(builder, arguments[0], next, end);
        scf::Condition::create(builder, goes_on, &[&[next], &arguments[..]].concat());

        let block = builder.append_block(chunks.after(), &passed);
        let arguments = block.argument_values();
        let carried = self.unchecked(builder, arguments[1], arguments[0], &arguments[2..]);
        builder.scf_yield(&[&[arguments[0]], &carried[..]].concat());
        builder.after(*chunks);
        chunks.results().split_off(1)
    }

    /// Emits whether a chunk begins before the end and all of its checks pass.
    fn passes(
        &self,
        builder: &Builder<'c, 'a>,
        first: Value<'c, 'a>,
        next: Value<'c, 'a>,
        end: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let begins = builder.cmpi(CmpInt::Slt, first, end);
        let (branch, yes, no) = builder.scf_if(begins, &[builder.i(1)]);
        builder.at_end(yes);
        let fine = builder.bool(false);
        let (checks, block) = builder.scf_for(first, next, &[fine]);
        let arguments = block.argument_values();
        annotate_loop(builder, checks, loop_annotations::PREDICATED);
        let fails = self.slice.emit(builder, arguments[0]);
        builder.scf_yield(&[builder.or(arguments[1], fails)]);
        builder.after(checks);
        let passes = builder.not(checks.result_value(0));
        builder.scf_yield(&[passes]);
        builder.at_end(no);
        builder.scf_yield(&[begins]);
        builder.after(branch);
        branch.result_value(0)
    }

    /// Clones the loop without its checks, for a range of iterations; returns the loop-carried
    /// values.
    fn unchecked(
        &self,
        builder: &Builder<'c, 'a>,
        lower: Value<'c, 'a>,
        upper: Value<'c, 'a>,
        carried: &[Value<'c, 'a>],
    ) -> Vec<Value<'c, 'a>> {
        let copy = scf::For::of(builder.clone_op(*self.r#loop, &[])).expect("a copy of a loop");
        copy.set_lower_bound(lower);
        copy.set_upper_bound(upper);
        copy.set_init_args(carried);
        for check in copy.nested_ops::<typed::RaiseIf>() {
            builder.erase_op(*check);
        }
        if !self.written.is_empty() {
            let accesses = copy.pre_order();
            set_disjoint(builder.context(), &self.name, &self.arrays, &accesses);
        }
        copy.results()
    }
}
