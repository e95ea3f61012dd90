//! The grid that a loop runs on.

use crate::{
    analysis::{
        affine::counts_with,
        element_access::ElementAccess,
        nest::{Nest, Reduction},
        reduction::Combination,
    },
    infra::{Builder, CmpInt, OperationExt, ValueExt, ops::arith},
    parfor::to_scf::order,
};
use melior::ir::Value;
use pyopt_dialects::typed::{Layout, array_type};

/// How many dimensions a grid has.
const DIMENSIONS: usize = 3;

/// How many blocks a grid has at most where each thread leaves a partial result, for loops of one, two
/// and more dimensions: as many as a large device runs at the same time.
const MOST_REDUCING: [[i64; DIMENSIONS]; DIMENSIONS] = [[1024, 1, 1], [32, 32, 1], [16, 8, 8]];

/// The same where the partial results are reduced to those that one thread of the host combines.
const MOST_COMBINING: [i64; DIMENSIONS] = [4, 1, 1];

/// How many threads a block has: each processor gets several groups of 32.
const BLOCK: i64 = 256;

/// The threads of a block where there are several iterations for each, for loops of one, two and more
/// dimensions: neighbours in the fastest dimension are neighbours in memory.
const BLOCKS: [[i64; DIMENSIONS]; DIMENSIONS] = [[BLOCK, 1, 1], [32, 8, 1], [32, 4, 2]];

/// The most threads along the axes of a block whose shape is that of the loop, as powers of two: a group
/// along the first one, and along the last one what devices take.
const MOST_COLUMNS: i64 = 5;
const MOST_ROWS: i64 = 4;
const MOST_LAST: i64 = 6;

/// The grid of a loop.
pub(super) struct Grid<'c, 'a> {
    /// The extents of a block.
    pub block: Vec<Value<'c, 'a>>,
    /// The same where they don't depend on those of the loop.
    pub fixed: Option<[i64; DIMENSIONS]>,
    /// The number of blocks in each dimension.
    pub blocks: Vec<Value<'c, 'a>>,
    /// The loop's dimensions, from the outermost to the innermost one; the innermost ones are those of
    /// the grid, from its last to its first.
    pub order: Vec<usize>,
    /// Which iterations a thread takes.
    pub share: Share,
}

/// Which iterations a thread takes.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Share {
    /// One: there are as many threads, at least.
    One,
    /// Every so many, as there are threads.
    Strided,
    /// Some that follow each other: a program's own combiner gets them in order.
    InOrder,
}

impl<'c: 'a, 'a> Grid<'c, 'a> {
    /// Computes the grid for a loop, where the builder stands. The results of the `last` loop of a
    /// reduction are for the host.
    pub fn new(builder: &Builder<'c, 'a>, nest: &Nest<'c, 'a>, last: bool) -> Self {
        let order = coalesced(nest, order(nest));
        let mut reductions = nest.reductions.iter();
        let is_combiner = |one: &Reduction| matches!(one.kind, Combination::Combiner(_));
        let share = match order.len() == 1 && reductions.any(is_combiner) {
            _ if nest.reductions.is_empty() => Share::One,
            true => Share::InOrder,
            false => Share::Strided,
        };
        let mapped = order.len().min(DIMENSIONS);
        let extents = order.iter().rev().take(mapped);
        // There may be fewer than none.
        let extents: Vec<_> = extents
            .map(|dimension| {
                let extent = nest.extents[*dimension];
                builder.bin(arith::MaxSI::NAME, extent, builder.index(0))
            })
            .collect();
        let fixed = (share != Share::One || mapped == 1).then_some(BLOCKS[mapped - 1]);
        let most = match last {
            true => MOST_COMBINING,
            false => MOST_REDUCING[mapped - 1],
        };
        let less = |extent| builder.bin(arith::SubI::NAME, extent, builder.index(1));
        let add = |x, y| builder.bin(arith::AddI::NAME, x, y);
        let (mut block, mut blocks): (Vec<_>, Vec<_>) = match fixed {
            Some(fixed) => (extents.iter().zip(fixed).zip(most))
                .map(|((extent, block), most)| {
                    let block = builder.index(block);
                    let count = builder.bin(arith::DivUI::NAME, add(*extent, less(block)), block);
                    match share {
                        Share::One => (block, count),
                        _ => (
                            block,
                            builder.bin(arith::MinUI::NAME, count, builder.index(most)),
                        ),
                    }
                })
                .unzip(),
            // Shifts, which can't fail: before a division by an unknown number there would be a fence.
            None => (extents.iter().zip(fitting_block(builder, &extents)))
                .map(|(extent, digits)| {
                    let block = builder.bin(arith::ShLI::NAME, builder.index(1), digits);
                    let rounded = add(*extent, less(block));
                    (block, builder.bin(arith::ShRUI::NAME, rounded, digits))
                })
                .unzip(),
        };
        block.resize_with(DIMENSIONS, || builder.index(1));
        blocks.resize_with(DIMENSIONS, || builder.index(1));
        Self {
            block,
            fixed,
            blocks,
            order,
            share,
        }
    }

    /// Whether the grid may have more blocks along an axis than devices take: the runtime launches it in
    /// parts then.
    pub fn is_split(&self) -> bool {
        self.share == Share::One && self.order.len() > 1
    }

    /// The axis of the grid that a dimension of the loop is along, if it isn't a loop of each thread.
    pub fn axis(&self, dimension: usize) -> Option<usize> {
        let mut inner = self.order.iter().rev().take(DIMENSIONS);
        inner.position(|other| *other == dimension)
    }

    /// How many threads there are.
    pub fn threads(&self, builder: &Builder<'c, 'a>) -> Value<'c, 'a> {
        let extents = self.block.iter().chain(&self.blocks).copied();
        let threads = extents.reduce(|x, y| builder.bin(arith::MulI::NAME, x, y));
        threads.expect("a grid has extents")
    }
}

/// The extents of a block of the shape that leaves few threads without an iteration, as powers of two: of
/// no more columns than the loop has, rounded up.
fn fitting_block<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    extents: &[Value<'c, 'a>],
) -> Vec<Value<'c, 'a>> {
    let fitting = |extent: Value<'c, 'a>, most: i64| {
        (0..most).fold(builder.index(0), |fits, digits| {
            let larger = builder.cmpi(CmpInt::Sgt, extent, builder.index(1 << digits));
            builder.select(larger, builder.index(digits + 1), fits)
        })
    };
    let min = |x, y| builder.bin(arith::MinUI::NAME, x, y);
    let less = |x, y| builder.bin(arith::SubI::NAME, x, y);
    let x = fitting(extents[0], MOST_COLUMNS);
    let rest = less(builder.index(i64::from(BLOCK.ilog2())), x);
    if extents.len() < DIMENSIONS {
        return vec![x, rest];
    }
    let y = min(fitting(extents[1], MOST_ROWS), less(rest, builder.index(1)));
    vec![x, y, min(less(rest, y), builder.index(MOST_LAST))]
}

/// The order of dimensions, with the one innermost along which most accesses are to neighbours in memory.
fn coalesced<'c: 'a, 'a>(nest: &Nest<'c, 'a>, mut order: Vec<usize>) -> Vec<usize> {
    let indices = nest.indices();
    let is_fixed = |value: Value<'c, 'a>| !value.is_inside(nest.operation);
    let operations = nest.operation.pre_order().into_iter();
    let accesses: Vec<_> = operations.filter_map(ElementAccess::of).collect();
    let neighbours = |dimension: usize| {
        let position = indices[dimension];
        let along = accesses.iter().filter(|access| {
            let layout = array_type(access.array().ty()).map(|array| array.layout);
            let own = access.indices();
            let fastest = match layout {
                Some(Layout::F) => own.first(),
                _ => own.last(),
            };
            fastest.is_some_and(|index| counts_with(*index, position, &is_fixed))
        });
        along.count()
    };
    let innermost = *order.last().expect("a loop has dimensions");
    let best = order.iter().copied().max_by_key(|one| neighbours(*one));
    if let Some(best) = best.filter(|best| neighbours(*best) > neighbours(innermost)) {
        order.retain(|one| *one != best);
        order.push(best);
    }
    order
}
