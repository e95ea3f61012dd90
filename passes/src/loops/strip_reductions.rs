//! Strip mining of reductions down the columns of a matrix.
//!
//! `for j: s = 0; for k: s += a[i, k] * b[k, j]; out[i, j] = s` walks down columns of `b`, which is
//! slow when they don't fit the cache, however many `j` are jammed. With the sums of a strip of a
//! thousand `j` in a buffer, the loop over `k` becomes the outer one and the inner one walks along
//! rows of `b`. Each sum keeps the order of its terms, so the results are the same to the bit.

use super::{
    carried::is_float,
    jammable::{Gain, Nest, Single},
};
use crate::{
    analysis::effects::Footprint,
    infra::{
        BlockExt, Builder, CmpInt, OperationExt, PassContext, PassResult, PassSpec, REMARKS,
        RegionExt, StatisticSpec, ValueExt,
        copies::{Mapping, copy},
        emit::{Emit, mapped},
        loop_annotations::{PLAIN, STREAM, annotate_loop},
        ops::{arith, func, memref, scf, typed},
    },
};
use melior::ir::{OperationRef, Type, Value, operation::OperationLike, r#type::MemRefType};

/// The `typed-strip-reductions` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Takes the nests that `typed-unroll-and-jam` makes vectors of sums of. Where they are large, which is \
        tested at run time, the outer loop goes in strips: the inner loop's carried values start in \
        a buffer on the stack, the inner loop is done for all positions of a strip at each step, and \
        then what stands behind it. Where they are small the nest stays as it was.",
    anchor: func::Func::NAME,
    dialects: &["arith", "llvm", "memref", "scf"],
    options: &[REMARKS],
    statistics: &[StatisticSpec::new(
        "stripped",
        "nests whose outer loop goes in strips",
    )],
    ..PassSpec::new(
        "typed-strip-reductions",
        "do reductions for strips of the loop around them",
        run,
    )
};

/// Numbers in a buffer: eight kilobytes, a quarter of the first-level cache, and enough of a matrix
/// row for the hardware prefetcher to detect a stream.
const NUMBERS: usize = 1024;
/// The most loop-carried values; more would make the strips too short.
const CARRIED: usize = 4;
/// The least trip count of the inner loop. Below it the elements that several columns touch mostly
/// stay in the first-level cache: on matrix products strips are half as fast below 100 iterations,
/// even at 180, and half as fast again at 256.
const STEPS: i64 = 192;
/// The least length of a strip that is worth a loop.
const POSITIONS: i64 = 64;
/// The size of the largest vectors, in bytes.
const ALIGNMENT: i64 = 64;

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    let Some(function) = func::Func::of(function) else {
        return Ok(());
    };
    let mut buffers = Buffers {
        function,
        made: Vec::new(),
    };
    for outer in function.nested_ops::<scf::For>() {
        let Some(nest) = Nest::of(outer).filter(|nest| nest.gain == Gain::Vectors) else {
            continue;
        };
        if let Some(parts) = nest.single().filter(is_repeatable) {
            let location = outer.location();
            strip(&builder, &nest, parts, &mut buffers);
            let message = format!(
                "goes in strips where it is large: the loop in it adds along rows, for {NUMBERS} \
                 positions at a time"
            );
            cx.transformed("stripped", location, message);
        }
    }
    Ok(())
}

/// Whether what stands before the inner loop may be done several times, only some floats are carried, and there
/// is no loop, branch or check in it.
fn is_repeatable(parts: &Single) -> bool {
    let inside = parts.inner_body.operation_list();
    let mut operations = parts.before.iter().chain(&inside);
    let is_in_order = |operation: &OperationRef| {
        !operation.region_list().is_empty() || operation.isa::<typed::RaiseIf>()
    };
    let carried = parts.inner.results();
    !inside.iter().any(is_in_order)
        && carried.len() <= CARRIED
        && carried.into_iter().all(is_float)
        && !operations.any(|operation| Footprint::of(*operation).writes_anything())
}

/// The buffers of a function, which its nests share.
struct Buffers<'c, 'a> {
    function: func::Func<'c, 'a>,
    made: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Buffers<'c, 'a> {
    /// One buffer for each value that a nest carries.
    fn of(
        &mut self,
        builder: &Builder<'c, 'a>,
        types: &[Type<'c>],
        size: usize,
    ) -> Vec<Value<'c, 'a>> {
        let mut left = self.made.clone();
        let mut found = Vec::new();
        for r#type in types {
            let r#type = MemRefType::new(*r#type, &[size as i64], None, None).into();
            let at = left.iter().position(|buffer| buffer.ty() == r#type);
            found.push(match at {
                Some(at) => left.swap_remove(at),
                None => self.make(builder, r#type),
            });
        }
        found
    }

    fn make(&mut self, builder: &Builder<'c, 'a>, r#type: Type<'c>) -> Value<'c, 'a> {
        let entry = self.function.body().entry();
        let entry = entry.expect("the function has a body, with a nest in it");
        // An alloca in a loop would grow the stack in each iteration.
        let at_entry = Builder::new(builder.context(), *self.function);
        at_entry.at_start(entry);
        let alloca = memref::Alloca::create(&at_entry, &[], &[], r#type);
        alloca.set_alignment(Some(ALIGNMENT));
        let buffer = alloca.memref();
        self.made.push(buffer);
        buffer
    }
}

/// Versions a loop: strip-mined where the trip counts are large enough, unchanged otherwise.
fn strip<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    parts: Single<'_, 'c, 'a>,
    buffers: &mut Buffers<'c, 'a>,
) {
    let types = parts.inner.result_types();
    let size = NUMBERS / types.len();
    let buffers = buffers.of(builder, &types, size);

    builder.before(*nest.outer);
    let (lower, upper) = (nest.outer.lower_bound(), nest.outer.upper_bound());
    let count = builder.bin(arith::SubI::NAME, upper, lower);
    let mut wide = builder.cmpi(CmpInt::Sge, count, builder.index(POSITIONS));
    if let Some(overlap) = nest.disjoint.overlap(builder) {
        wide = builder.and(wide, builder.not(overlap));
    }
    // The bounds of the inner loop are invariant, but may be computed in the outer loop.
    let (checked, yes, no) = builder.scf_if(wide, &[builder.i(1)]);
    builder.at_end(yes);
    let mut mapping = vec![(nest.body.argument_value(0), lower)];
    copy_all(builder, parts.before, &mut mapping);
    let bounds =
        [parts.inner.lower_bound(), parts.inner.upper_bound()].map(|bound| mapped(&mapping, bound));
    let steps = builder.bin(arith::SubI::NAME, bounds[1], bounds[0]);
    builder.scf_yield(&[builder.cmpi(CmpInt::Sge, steps, builder.index(STEPS))]);
    builder.at_end(no);
    builder.scf_yield(&[wide]);
    builder.after(checked);

    let (branch, yes, no) = builder.scf_if(checked.result_value(0), &[]);
    builder.at_end(yes);
    let step = builder.index(size as i64);
    let strips = scf::For::create(builder, lower, upper, step, &[], &[]);
    let block = builder.append_block(strips.region(), &[builder.index_type()]);
    let first = block.argument_value(0);
    let rest = builder.bin(arith::SubI::NAME, upper, first);
    let length = builder.bin(arith::MinSI::NAME, rest, builder.index(size as i64));
    Strip {
        builder,
        nest,
        parts,
        buffers,
        first,
        length,
    }
    .fill();
    builder.scf_yield(&[]);
    builder.at_end(yes);
    builder.scf_yield(&[]);
    builder.at_end(no);
    nest.outer.place_at_end(no);
    builder.at_end(no).scf_yield(&[]);
    builder.after(branch);
}

/// A strip of the outer loop's iterations.
struct Strip<'n, 'c, 'a> {
    builder: &'n Builder<'c, 'a>,
    nest: &'n Nest<'c, 'a>,
    parts: Single<'n, 'c, 'a>,
    /// The buffers with the loop-carried values of each iteration of the strip.
    buffers: Vec<Value<'c, 'a>>,
    first: Value<'c, 'a>,
    length: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Strip<'_, 'c, 'a> {
    fn fill(&self) {
        let (builder, parts) = (self.builder, self.parts);
        self.each_position(true, &Mapping::new(), |at, mapping| {
            for (init, buffer) in parts.inner.init_args().into_iter().zip(&self.buffers) {
                self.store(mapped(mapping, init), *buffer, at);
            }
        });

        let mut mapping = vec![(self.nest.body.argument_value(0), self.first)];
        copy_all(builder, parts.before, &mut mapping);
        let inner = parts.inner;
        let [lower, upper, step] = [inner.lower_bound(), inner.upper_bound(), inner.step()]
            .map(|bound| mapped(&mapping, bound));
        let steps = scf::For::create(builder, lower, upper, step, &[], &[]);
        let block = builder.append_block(steps.region(), &[builder.index_type()]);
        self.step(block.argument_value(0), mapping);
        builder.scf_yield(&[]);
        builder.after(*steps);

        self.each_position(true, &Mapping::new(), |at, mapping| {
            let results = inner.results();
            for (result, buffer) in results.into_iter().zip(&self.buffers) {
                mapping.push((result, self.load(*buffer, at)));
            }
            copy_all(builder, parts.after, mapping);
        });
    }

    /// Emits one iteration of the inner loop, for each iteration of the strip.
    fn step(&self, at: Value<'c, 'a>, mut mapping: Mapping<'c, 'a>) {
        let (nest, parts) = (self.nest, self.parts);
        let arguments = parts.inner_body.argument_values();
        let mut operations = parts.inner_body.operation_list();
        let end = operations.pop().expect("a loop has a terminator");
        mapping.push((arguments[0], at));
        let (varying, fixed): (Vec<_>, Vec<_>) = operations
            .into_iter()
            .partition(|operation| nest.varies(*operation));
        copy_all(self.builder, &fixed, &mut mapping);
        self.each_position(false, &mapping, |position, mapping| {
            for (argument, buffer) in arguments[1..].iter().zip(&self.buffers) {
                mapping.push((*argument, self.load(*buffer, position)));
            }
            copy_all(self.builder, &varying, mapping);
            for (next, buffer) in end.operand_values().into_iter().zip(&self.buffers) {
                self.store(mapped(mapping, next), *buffer, position);
            }
        });
    }

    /// Emits a loop over the strip that begins with the operations before the inner loop; `make`
    /// gets the index in the buffers.
    fn each_position(
        &self,
        rare: bool,
        known: &Mapping<'c, 'a>,
        make: impl FnOnce(Value<'c, 'a>, &mut Mapping<'c, 'a>),
    ) {
        let builder = self.builder;
        let (r#loop, block) = builder.scf_for(builder.index(0), self.length, &[]);
        let annotation = if rare { PLAIN } else { STREAM };
        annotate_loop(builder, r#loop, annotation);
        let at = block.argument_value(0);
        let position = builder.bin(arith::AddI::NAME, self.first, at);
        let mut mapping = known.clone();
        mapping.push((self.nest.body.argument_value(0), position));
        copy_all(builder, self.parts.before, &mut mapping);
        make(at, &mut mapping);
        builder.scf_yield(&[]);
        builder.after(r#loop);
    }

    fn load(&self, buffer: Value<'c, 'a>, at: Value<'c, 'a>) -> Value<'c, 'a> {
        memref::Load::create(self.builder, buffer, &[at]).result()
    }

    fn store(&self, value: Value<'c, 'a>, buffer: Value<'c, 'a>, at: Value<'c, 'a>) {
        memref::Store::create(self.builder, value, buffer, &[at]);
    }
}

fn copy_all<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operations: &[OperationRef<'c, 'a>],
    mapping: &mut Mapping<'c, 'a>,
) {
    for operation in operations {
        copy(builder, *operation, mapping);
    }
}
