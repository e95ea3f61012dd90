//! The cost of operations, in simple ones: what an iteration of a parallel loop takes, to be known
//! before the loop is launched.
//!
//! It only decides how many threads a loop is worth, so an estimate that is wrong costs time and
//! nothing else. What calls unknown functions may take any time.

use super::nest::Nest;
use crate::{
    analysis::reduction::is_pure_step,
    infra::{
        BlockExt, Builder, CmpInt, Dimension, OperationExt, OperationInterfaces, RegionExt,
        ValueExt,
        ops::{AnyOp, arith, func, scf, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, Value};

/// The cost of a call, the callee aside.
const CALL: i64 = 10;
/// How deep calls are looked into.
const DEPTH: u32 = 4;

/// What is known of an operation's cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// As long as so many simple operations.
    Simple(i64),
    /// Any time.
    Any,
}

/// The cost of an operation without regions that calls nothing, as it says itself.
pub(crate) fn of_simple(operation: OperationRef) -> Known {
    operation.cost().map_or(Known::Any, Known::Simple)
}

/// The cost of a call of a function without loops.
pub(crate) fn of_call<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    call: typed::Call<'c, 'a>,
) -> Known {
    of_call_within(module, call, DEPTH)
}

fn of_call_within<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    call: typed::Call<'c, 'a>,
    depth: u32,
) -> Known {
    let callee = module.lookup_symbol(call.callee()).and_then(func::Func::of);
    let Some(callee) = callee.filter(|callee| depth > 0 && !callee.body().is_empty()) else {
        return Known::Any;
    };
    let mut sum = CALL;
    for operation in callee.pre_order() {
        let one = match AnyOp::of(operation) {
            AnyOp::Func(func::Op::Func(_)) | AnyOp::Scf(scf::Op::If(_)) => Known::Simple(0),
            AnyOp::Typed(typed::Op::Call(call)) => of_call_within(module, call, depth - 1),
            _ => of_simple(operation),
        };
        match one {
            Known::Simple(one) => sum += one,
            Known::Any => return Known::Any,
        }
    }
    Known::Simple(sum)
}

/// The bounds of the loop whose induction variable a value is.
pub(crate) fn inner_index<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    let parent = value.defining_block().parent()?;
    let mut dimensions = parent.loop_dimensions()?.into_iter();
    let dimension = dimensions.find(|dimension| dimension.index == value)?;
    Some(dimension.bounds)
}

/// The lower bound, the upper bound and the step of a loop.
pub(crate) fn bounds<'c: 'a, 'a>(each: scf::For<'c, 'a>) -> [Value<'c, 'a>; 3] {
    [each.lower_bound(), each.upper_bound(), each.step()]
}

/// Work in simple operations: a constant, and loops with their trip counts.
#[derive(Default)]
struct Work<'c, 'a> {
    simple: i64,
    loops: Vec<(Vec<Value<'c, 'a>>, Work<'c, 'a>)>,
}

/// Emits the work of an iteration in front of a loop, at the insertion point: the mean, where it
/// depends on the induction variable. `None` when it isn't known: the body calls functions with
/// loops, or has loops whose trip count isn't known ahead or is loaded from memory.
pub(crate) fn estimate<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
    nest: &Nest<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    estimate_body(builder, Some(module), nest.operation, nest.body())
}

/// The same for any loop with a body. Without the module nothing is known of callees.
pub(crate) fn estimate_body<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    module: Option<OperationRef<'c, 'a>>,
    operation: OperationRef<'c, 'a>,
    body: BlockRef<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let mut estimate = Estimate {
        builder,
        module,
        nest: operation,
        outside: Vec::new(),
    };
    let work = estimate.block(body)?;
    Some(write(builder, &work))
}

fn write<'c: 'a, 'a>(builder: &Builder<'c, 'a>, work: &Work<'c, 'a>) -> Value<'c, 'a> {
    let simple = builder.index(work.simple);
    work.loops.iter().fold(simple, |sum, (extents, body)| {
        let once = write(builder, body);
        let product = extents.iter().fold(once, |product, extent| {
            builder.bin(arith::MulI::NAME, product, *extent)
        });
        builder.bin(arith::AddI::NAME, sum, product)
    })
}

struct Estimate<'b, 'c, 'a> {
    builder: &'b Builder<'c, 'a>,
    module: Option<OperationRef<'c, 'a>>,
    nest: OperationRef<'c, 'a>,
    /// Values recomputed in front of the loop: from the original to the copy.
    outside: Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
}

impl<'c: 'a, 'a> Estimate<'_, 'c, 'a> {
    fn block(&mut self, block: BlockRef<'c, 'a>) -> Option<Work<'c, 'a>> {
        let mut work = Work::default();
        for operation in block.operation_list() {
            self.add(operation, &mut work)?;
        }
        Some(work)
    }

    fn add(&mut self, operation: OperationRef<'c, 'a>, work: &mut Work<'c, 'a>) -> Option<()> {
        let known = match AnyOp::of(operation) {
            _ if let Some(dimensions) = operation.loop_dimensions() => {
                let trips = dimensions
                    .iter()
                    .map(|dimension| self.trips(dimension))
                    .collect::<Option<_>>()?;
                let body = operation.nested_blocks().into_iter().next()?;
                work.loops.push((trips, self.block(body)?));
                return Some(());
            }
            AnyOp::Scf(scf::Op::If(branch)) => {
                for block in branch.nested_blocks() {
                    let branch = self.block(block)?;
                    work.simple += branch.simple;
                    work.loops.extend(branch.loops);
                }
                return Some(());
            }
            AnyOp::Typed(typed::Op::Call(call)) => match self.module {
                Some(module) => of_call(module, call),
                // What it calls is small.
                None if is_pure_step(operation) => Known::Simple(CALL),
                None => Known::Any,
            },
            _ => of_simple(operation),
        };
        match known {
            Known::Simple(simple) => work.simple += simple,
            Known::Any => return None,
        }
        Some(())
    }

    /// The trip count of a dimension, of which the extent or all bounds are known.
    fn trips(&mut self, dimension: &Dimension<'c, 'a>) -> Option<Value<'c, 'a>> {
        let bounds: Vec<_> = dimension
            .bounds
            .iter()
            .map(|bound| self.hoist(*bound))
            .collect::<Option<_>>()?;
        match bounds[..] {
            [extent] => Some(extent),
            [lower, upper, step] => {
                let distance = self.builder.bin(arith::SubI::NAME, upper, lower);
                let trips = self.builder.bin(arith::DivSI::NAME, distance, step);
                Some(self.not_negative(trips))
            }
            _ => None,
        }
    }

    fn not_negative(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        let zero = self.builder.index(0);
        let positive = self.builder.cmpi(CmpInt::Sgt, value, zero);
        self.builder.select(positive, value, zero)
    }

    /// A value that is there before the loop, or computed there from such values. Indices are in the
    /// middle of what they go through.
    fn hoist(&mut self, value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        if !value.is_inside(self.nest) {
            return Some(value);
        }
        if let Some((_, outside)) = self.outside.iter().find(|(inside, _)| *inside == value) {
            return Some(*outside);
        }
        let Some(operation) = value.defining_op() else {
            let middle = self.middle(value)?;
            self.outside.push((value, middle));
            return Some(middle);
        };
        if !operation.is_pure() || !operation.region_list().is_empty() {
            return None;
        }
        for operand in operation.operand_values() {
            self.hoist(operand)?;
        }
        let copy = self.builder.clone_op(operation, &self.outside);
        let results = operation.result_values().into_iter();
        self.outside.extend(results.zip(copy.result_values()));
        Some(copy.result_value(value.position()))
    }

    /// The mean of the values that an induction variable takes.
    fn middle(&mut self, index: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let bounds: Vec<_> = inner_index(index)?
            .into_iter()
            .map(|bound| self.hoist(bound))
            .collect::<Option<_>>()?;
        let builder = self.builder;
        let sum = match bounds[..] {
            [extent] => extent,
            [lower, upper, ..] => builder.bin(arith::AddI::NAME, lower, upper),
            [] => return None,
        };
        Some(builder.bin(arith::DivSI::NAME, sum, builder.index(2)))
    }
}
