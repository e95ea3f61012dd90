//! Shared by the passes that make parallel loops of operations on whole arrays.

use crate::{
    analysis::{
        shape::{Sizes, rank},
        sizes::{has_extents, is_one, is_one_in, same_size},
    },
    infra::{
        BlockExt, Builder, OperationAttributes, OperationExt, OptionSpec, PassContext, ValueExt,
        emit::Emit,
        ops::{marks, typed},
    },
};
use melior::ir::{Attribute, BlockRef, OperationRef, Value};
use pyopt_dialects::typed::array_type;

/// The option of these passes that keeps the loops they make on the calling thread: array
/// operations have no other lowering than a loop.
pub(super) const THREADS: OptionSpec =
    OptionSpec::bool("threads", "off: the loops stay on the calling thread", true);

/// Leaves an expression to the assignment of its value.
pub(super) fn leave_to_assignment<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    expression: OperationRef<'c, 'a>,
) {
    expression.set_attr(marks::ASSIGNED, Attribute::unit(builder.context()));
}

/// Whether an expression is computed as part of the assignment of its value.
pub(super) fn is_left_to_assignment<'c: 'a, 'a>(expression: OperationRef<'c, 'a>) -> bool {
    expression.flag_attr(marks::ASSIGNED)
}

/// The element that the region of an expression or a fill yields.
pub(super) fn yielded<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Value<'c, 'a> {
    let end = block.terminator_op().and_then(typed::Yield::of);
    end.expect("a verified region yields").values()[0]
}

/// Makes loops in a function.
#[derive(Debug)]
pub(super) struct Conversion<'c, 'a, 'b> {
    pub builder: &'b Builder<'c, 'a>,
    pub sizes: Sizes<'c, 'a>,
    /// Whether the loops stay on the calling thread.
    pub serial: bool,
}

impl<'c: 'a, 'a, 'b> Conversion<'c, 'a, 'b> {
    /// Begins with a function, as the option [`THREADS`] says.
    pub fn new(cx: &PassContext<'c>, builder: &'b Builder<'c, 'a>) -> Self {
        Self {
            builder,
            sizes: Sizes::default(),
            serial: !cx.options().bool(THREADS.name),
        }
    }

    /// What the operands' sizes in one dimension of the result broadcast to.
    pub fn broadcast_extent(
        &mut self,
        operands: &[Value<'c, 'a>],
        result: usize,
        dimension: usize,
    ) -> Value<'c, 'a> {
        let mut extent: Option<Value> = None;
        for operand in operands {
            let Some(own) = (rank(*operand) + dimension).checked_sub(result) else {
                continue;
            };
            if rank(*operand) == 0 {
                continue;
            }
            let size = self.sizes.of(self.builder, *operand, own);
            extent = Some(match extent {
                None => size,
                Some(before) if same_size(before, size) => before,
                Some(before) if is_one(size) => before,
                Some(before) if is_one(before) => size,
                Some(before) => typed::BroadcastSize::create(self.builder, before, size).result(),
            });
        }
        extent.expect("some operand has the result's rank")
    }

    /// An operand with exactly the extents of the iteration space in each dimension it has.
    /// Dimensions statically known to be 1 stay so: their only element is read in every iteration.
    pub fn broadcast(&self, array: Value<'c, 'a>, extents: &[Value<'c, 'a>]) -> Operand<'c, 'a> {
        let builder = self.builder;
        let of_space = &extents[extents.len() - rank(array)..];
        let repeated: Vec<_> = of_space
            .iter()
            .enumerate()
            .map(|(dimension, extent)| is_one_in(array, dimension) && !is_one(*extent))
            .collect();
        let own: Vec<_> = of_space
            .iter()
            .zip(&repeated)
            .map(|(extent, repeated)| match repeated {
                true => builder.index(1),
                false => *extent,
            })
            .collect();
        let value = match own.is_empty() || has_extents(array, &own) {
            true => array,
            false => builder.broadcast(array, &own),
        };
        Operand { value, repeated }
    }

    /// The element of an operand at indices of the iteration space; a scalar is its own element.
    pub fn element(&self, operand: &Operand<'c, 'a>, indices: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        if array_type(operand.value.ty()).is_none() {
            return operand.value;
        }
        let first = indices.len() - operand.repeated.len();
        let own: Vec<_> = indices[first..]
            .iter()
            .zip(&operand.repeated)
            .map(|(index, repeated)| match repeated {
                true => self.builder.index(0),
                false => *index,
            })
            .collect();
        self.builder.load(operand.value, &own)
    }
}

/// What a loop reads at its indices, or a number.
#[derive(Clone, Debug)]
pub(super) struct Operand<'c, 'a> {
    pub value: Value<'c, 'a>,
    /// The dimensions whose only element is there for all indices.
    repeated: Vec<bool>,
}
