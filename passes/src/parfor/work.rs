//! How much an iteration of a loop does, to be known before the loop is launched.

use super::nest::Nest;
use crate::infra::{BlockExt, Builder, CmpInt, OperationExt, RegionExt, ValueExt};
use melior::ir::{BlockRef, OperationRef, Value};
use pyopt_dialects::enums::{BinaryKind, UnaryKind};

/// What a division, a remainder or a root takes, in simple operations.
const DIVISION: i64 = 10;
/// What a function such as `exp` takes.
const FUNCTION: i64 = 40;

/// Work in simple operations: a constant, and loops that run as often as a value says.
#[derive(Default)]
struct Work<'c, 'a> {
    simple: i64,
    loops: Vec<(Vec<Value<'c, 'a>>, Work<'c, 'a>)>,
}

/// Writes the work of an iteration in front of a loop, where the builder stands; `None` when it
/// can't be told: an iteration calls, or repeats something for as long as it takes.
pub(crate) fn estimate<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    estimate_body(builder, nest.operation, nest.body())
}

/// The same of any loop with a body.
pub(crate) fn estimate_body<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operation: OperationRef<'c, 'a>,
    body: BlockRef<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let mut estimate = Estimate {
        builder,
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
            builder.bin("arith.muli", product, *extent)
        });
        builder.bin("arith.addi", sum, product)
    })
}

struct Estimate<'b, 'c, 'a> {
    builder: &'b Builder<'c, 'a>,
    nest: OperationRef<'c, 'a>,
    /// What was computed again in front of the loop: values inside and outside.
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
        match operation.full_name() {
            "scf.for" => {
                let bounds: Vec<_> = (0..3)
                    .map(|at| self.hoist(operation.operand_value(at)))
                    .collect::<Option<_>>()?;
                let builder = self.builder;
                let distance = builder.bin("arith.subi", bounds[1], bounds[0]);
                let trips = builder.bin("arith.divsi", distance, bounds[2]);
                let body = self.block(operation.region_at(0).entry()?)?;
                work.loops.push((vec![self.not_negative(trips)], body));
            }
            "parfor.loop" => {
                let nest = Nest::of(operation)?;
                let extents = nest.extents.iter().map(|extent| self.hoist(*extent));
                let extents = extents.collect::<Option<_>>()?;
                work.loops.push((extents, self.block(nest.body())?));
            }
            "scf.if" => {
                for region in operation.region_list() {
                    for block in region.block_list() {
                        let branch = self.block(block)?;
                        work.simple += branch.simple;
                        work.loops.extend(branch.loops);
                    }
                }
            }
            "typed.binary" => {
                let kind = operation
                    .attr("kind")
                    .and_then(BinaryKind::from_attribute)?;
                work.simple += match kind {
                    BinaryKind::TrueDiv | BinaryKind::FloorDiv | BinaryKind::Mod => DIVISION,
                    BinaryKind::Pow | BinaryKind::Atan2 | BinaryKind::Hypot => FUNCTION,
                    _ => 1,
                };
            }
            "typed.unary" => {
                let kind = operation.attr("kind").and_then(UnaryKind::from_attribute)?;
                work.simple += match kind {
                    UnaryKind::Neg | UnaryKind::Invert | UnaryKind::Abs => 1,
                    UnaryKind::Real | UnaryKind::Imag | UnaryKind::Conj => 1,
                    UnaryKind::Sqrt => DIVISION,
                    _ => FUNCTION,
                };
            }
            "typed.constant" | "arith.constant" | "parfor.yield" | "scf.yield" => {}
            "typed.load" | "typed.store" | "typed.raise_if" => work.simple += 1,
            _ if operation.region_list().is_empty() && operation.is_pure() => work.simple += 1,
            _ => return None,
        }
        Some(())
    }

    fn not_negative(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        let zero = self.builder.index(0);
        let positive = self.builder.cmpi(CmpInt::Sgt, value, zero);
        self.builder.select(positive, value, zero)
    }

    /// A value that is there before the loop, or computed there from such values.
    fn hoist(&mut self, value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let parent = value.defining_block().parent();
        if !parent.is_some_and(|parent| parent.is_within(self.nest)) {
            return Some(value);
        }
        if let Some((_, outside)) = self.outside.iter().find(|(inside, _)| *inside == value) {
            return Some(*outside);
        }
        let operation = value.defining_op()?;
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
}
