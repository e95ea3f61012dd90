//! Unroll-and-jam: unrolls an outer loop and merges the copies of the loop inside of it.
//!
//! `for j: s = 0; for k: s += a[i, k] * b[k, j]; out[i, j] = s` is bound by the latency of one sum,
//! and walks down columns. Sixteen `j` jammed are sixteen independent sums along rows, which LLVM
//! vectorises. `for i: for j: s += a[i, j] * x[j]` walks along rows already, but each addition waits
//! for the one before: those of several rows don't wait for each other. And what several `k` of
//! `for k: for j: c[i, j] += a[i, k] * b[k, j]` add to an element is added in a register. Each sum
//! keeps the order of its terms, so the results are the same to the bit.

use super::{
    alias_scopes::set_disjoint,
    jammable::{Gain, Nest, Segment, waits},
    jammed_copies::{Copies, annotate, copy_all},
};
use crate::infra::{
    BlockExt, Builder, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec,
    REMARKS, StatisticSpec, ValueExt,
    copies::{Mapping, copy},
    emit::{Emit, mapped},
    loop_annotations::{PLAIN, annotate_loop},
    ops::{arith, func, marks, scf},
};
use melior::ir::{Attribute, OperationRef, Value, operation::OperationLike};

/// The `typed-unroll-and-jam` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Takes a loop with a step of one and up to four loops in it that carry numbers, one of \
        them a float, or nothing, whose bounds don't depend on the outer position. Nothing else may \
        be in it but what is pure, loads and stores, and in the inner loops branches without effects and \
        checks, ahead of which nothing is stored: a check that fails has the iterations done one by one. \
        All that touches an array that is stored to must \
        be of an element of its own for each outer position, or of one for each inner position and in \
        the inner loop, or behind that; other arrays must share no memory with it, which is tested \
        before the loop where it isn't known. Where elements next to each other are loaded for \
        positions next to each other, eight or sixteen iterations are done at once, depending on the \
        size of the inner loop, so that the sums are vectors; else four or eight where the inner loop \
        adds to floats, and four where all outer iterations add to one row. What is left is done one \
        by one.",
    anchor: func::Func::NAME,
    dialects: &["arith", "llvm", "pyopt", "scf"],
    options: &[REMARKS],
    statistics: &[StatisticSpec::new(
        "jammed",
        "loops whose iterations are done several at once",
    )],
    ..PassSpec::new(
        "typed-unroll-and-jam",
        "unroll loops and jam the loops that are in them",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    let name = function.symbol_name().unwrap_or_default();
    let mut count = 0;
    for outer in function.nested_ops::<scf::For>() {
        if let Some(nest) = Nest::of(outer) {
            let location = outer.location();
            nest.jam(&builder, &format!("{name} jammed {count}"));
            count += 1;
            let gained = match nest.gain {
                Gain::Vectors => "that the loop in it vectorises",
                Gain::Latency => "that their sums don't wait for each other",
                Gain::Rows => "that a row that all add to is loaded and stored once",
            };
            let message = format!("does {} iterations at once, so {gained}", nest.copies);
            cx.transformed("jammed", location, message);
        }
    }
    Ok(())
}

impl<'c: 'a, 'a> Nest<'c, 'a> {
    /// Inserts the unrolled loop before the original one, which does the remaining iterations.
    /// Where arrays overlap that must not, that is all of them. `name` must be unique in the module.
    fn jam(&self, builder: &Builder<'c, 'a>, name: &str) {
        builder.before(*self.outer);
        let (lower, upper) = (self.outer.lower_bound(), self.outer.upper_bound());
        let count = builder.bin(arith::SubI::NAME, upper, lower);
        let count = builder.bin(arith::MaxSI::NAME, count, builder.index(0));
        let group = builder.index(self.copies as i64);
        let rest = builder.bin(arith::RemUI::NAME, count, group);
        let done = builder.bin(arith::SubI::NAME, count, rest);
        let mut middle = builder.bin(arith::AddI::NAME, lower, done);
        let tests = [
            self.disjoint.overlap(builder),
            self.speculated.outside(builder, *self.outer),
        ];
        let tests = tests.into_iter().flatten();
        if let Some(unfit) = tests.reduce(|one, other| builder.or(one, other)) {
            middle = arith::Select::create(builder, unfit, lower, middle).result();
        }

        let inits = self.outer.init_args();
        let types: Vec<_> = inits.iter().map(|init| init.ty()).collect();
        let groups = scf::For::create(builder, lower, middle, group, &inits, &types);
        let arguments: Vec<_> = [builder.index_type()].into_iter().chain(types).collect();
        let block = builder.append_block(groups.region(), &arguments);
        self.fill(builder, &block.argument_values());
        self.outer.set_init_args(&groups.results());
        self.tell_disjoint(builder, groups, name);
        for segment in &self.segments {
            if let Segment::Loop(inner) = segment {
                annotate(builder, *inner, waits(*inner));
            }
        }
        self.outer.set_lower_bound(middle);
        let settled = Attribute::unit(builder.context());
        self.outer.set_attr(marks::SETTLED, settled);
    }

    /// Says of the accesses in the unrolled loop what was tested before it.
    fn tell_disjoint(&self, builder: &Builder<'c, 'a>, groups: scf::For<'c, 'a>, name: &str) {
        let arrays = self.disjoint.arrays();
        // Arrays that change places from one iteration to the next of a loop around would be said to
        // be apart for all iterations.
        let is_argument = |array: &Value<'c, 'a>| {
            let block = array.defining_block().parent();
            block.is_some_and(|parent| parent.isa::<func::Func>())
        };
        if !arrays.is_empty() && arrays.iter().all(is_argument) {
            set_disjoint(builder.context(), name, &arrays, &groups.pre_order());
        }
    }

    /// Emits the body for consecutive values of the induction variable, from the first argument on.
    fn fill(&self, builder: &Builder<'c, 'a>, arguments: &[Value<'c, 'a>]) {
        let own = self.body.argument_values();
        let mut mappings: Vec<Mapping> = Vec::new();
        for copy in 0..self.copies {
            let offset = builder.index(copy as i64);
            let position = builder.bin(arith::AddI::NAME, arguments[0], offset);
            mappings.push(vec![(own[0], position)]);
        }
        let (last, segments) = self.segments.split_last().expect("a body has an end");
        for segment in segments {
            match segment {
                Segment::Straight(operations) => {
                    copy_all(self, builder, operations, &mut mappings);
                }
                Segment::Loop(inner) => {
                    let mut copies = Copies::new(self, builder, mappings, segment.checks());
                    copies.jam_loop(*inner);
                    let failed = copies.failed();
                    mappings = copies.mappings;
                    if let Some(failed) = failed {
                        self.redo(builder, failed, arguments);
                    }
                }
            }
        }
        let end = self.body.terminator_op().expect("a loop has a terminator");
        let mut carried = arguments[1..].to_vec();
        for mapping in &mut mappings {
            mapping.extend(own[1..].iter().copied().zip(carried));
            if let Segment::Straight(operations) = last {
                for operation in operations {
                    copy(builder, *operation, mapping);
                }
            }
            let next = end.operand_values().into_iter();
            carried = next.map(|value| mapped(mapping, value)).collect();
        }
        builder.scf_yield(&carried);
    }

    /// Emits the iterations of a group one by one, for one of them raises.
    fn redo(&self, builder: &Builder<'c, 'a>, failed: Value<'c, 'a>, arguments: &[Value<'c, 'a>]) {
        let (branch, yes, no) = builder.scf_if(failed, &[]);
        builder.at_end(yes);
        let (first, carried) = arguments.split_first().expect("a loop has a position");
        let group = builder.index(self.copies as i64);
        let end = builder.bin(arith::AddI::NAME, *first, group);
        let again = scf::For::of(builder.clone_op(*self.outer, &Vec::new())).expect("a loop");
        again.set_lower_bound(*first);
        again.set_upper_bound(end);
        again.set_init_args(carried);
        let mark = Attribute::unit(builder.context());
        again.set_attr(marks::SETTLED, mark);
        // It runs at most once, so nobody waits for other forms of it.
        for r#loop in again.nested_ops::<scf::For>() {
            r#loop.set_attr(marks::HOISTED, mark);
            annotate_loop(builder, *r#loop, PLAIN);
        }
        builder.at_end(yes);
        builder.scf_yield(&[]);
        builder.at_end(no);
        builder.scf_yield(&[]);
        builder.after(branch);
    }
}
