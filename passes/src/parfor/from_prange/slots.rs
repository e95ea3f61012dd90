//! The partial results of chunks, stored in an array with a slot for each chunk, and their
//! combination.

use crate::{
    analysis::{nest::NestBuilder, reduction::combine},
    infra::{BlockExt, Builder, CmpInt, OperationExt, ValueExt, emit::Emit, ops::typed},
};
use melior::ir::Value;
use pyopt_dialects::{
    enums::{BinaryKind, CombineKind, CompareKind, PatternKind, UnaryKind},
    typed::{ArrayType, array_type},
};

/// The slots of a loop-carried value or an array.
pub(super) struct Slots<'c, 'a> {
    /// One slot for each chunk: the first dimension.
    pub array: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Slots<'c, 'a> {
    /// Allocates the slots.
    pub fn new(builder: &Builder<'c, 'a>, chunks: Value<'c, 'a>, like: Value<'c, 'a>) -> Self {
        let (rank, element) = match array_type(like.ty()) {
            Some(array) => (array.rank, array.element),
            None => (0, like.ty()),
        };
        let r#type = ArrayType::contiguous(rank + 1, element);
        let mut sizes = vec![chunks];
        sizes.extend(dims(builder, like));
        Self {
            array: builder.empty(&sizes, r#type.to_type(builder.context())),
        }
    }

    /// The size of an array that the chunks reduce.
    fn sizes(&self, builder: &Builder<'c, 'a>) -> Vec<Value<'c, 'a>> {
        dims(builder, self.array).split_off(1)
    }

    /// Stores a chunk's partial result.
    pub fn put(&self, builder: &Builder<'c, 'a>, chunk: Value<'c, 'a>, value: Value<'c, 'a>) {
        let sizes = self.sizes(builder);
        if sizes.is_empty() {
            return builder.store(value, self.array, &[chunk]);
        }
        for (size, own) in sizes.iter().zip(dims(builder, value)) {
            let other = builder.cmpi(CmpInt::Ne, *size, own);
            builder.raise_if(
                other,
                "ValueError",
                "an array that prange reduces changes its shape",
            );
        }
        let mut copy = NestBuilder::new(&sizes, PatternKind::Reduction);
        copy.serial = true;
        copy.build(builder, |indices| {
            let element = builder.load(value, indices);
            builder.store(element, self.array, &[&[chunk], indices].concat());
            Vec::new()
        });
    }

    /// Combines an element of an array with those of all chunks.
    fn combine_element(
        &self,
        builder: &Builder<'c, 'a>,
        kind: CombineKind,
        chunks: Value<'c, 'a>,
        init: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
    ) -> Value<'c, 'a> {
        let start = builder.load(init, indices);
        let (each, block) = builder.scf_for(builder.index(0), chunks, &[start]);
        let (chunk, before) = (block.argument_value(0), block.argument_value(1));
        builder.at_end(block);
        let value = builder.load(self.array, &[&[chunk], indices].concat());
        let after = match kind {
            CombineKind::NpMin | CombineKind::NpMax => {
                combine_extreme(builder, kind == CombineKind::NpMax, before, value)
            }
            _ => combine(builder, kind, false, before, value),
        };
        builder.scf_yield(&[after]);
        builder.after(each);
        each.result_value(0)
    }

    /// Combines the partial results of all chunks into an array, in place.
    pub fn combine_into(
        &self,
        builder: &Builder<'c, 'a>,
        kind: CombineKind,
        chunks: Value<'c, 'a>,
        array: Value<'c, 'a>,
    ) {
        NestBuilder::new(&self.sizes(builder), PatternKind::Reduction).build(builder, |indices| {
            let element = self.combine_element(builder, kind, chunks, array, indices);
            builder.store(element, array, indices);
            Vec::new()
        });
    }

    /// Combines an array and the partial results of all chunks into a fresh array; without
    /// iterations it is the array itself.
    pub fn combine_fresh(
        &self,
        builder: &Builder<'c, 'a>,
        kind: CombineKind,
        (chunks, count): (Value<'c, 'a>, Value<'c, 'a>),
        init: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let any = builder.cmpi(CmpInt::Ne, count, builder.index(0));
        let (made, yes, no) = builder.scf_if(any, &[init.ty()]);
        builder.at_end(yes);
        let nest = NestBuilder::new(&self.sizes(builder), PatternKind::Reduction)
            .fresh(init.ty())
            .build(builder, |indices| {
                vec![self.combine_element(builder, kind, chunks, init, indices)]
            });
        builder.scf_yield(&nest.fresh());
        builder.at_end(no);
        builder.scf_yield(&[init]);
        builder.after(made);
        made.result_value(0)
    }
}

/// The sizes of an array.
pub(super) fn dims<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
) -> Vec<Value<'c, 'a>> {
    let rank = array_type(array.ty()).map_or(0, |array| array.rank);
    (0..rank).map(|at| builder.dim(array, at)).collect()
}

/// The better of two elements as `np.minimum` and `np.maximum` see it: the first of equal ones, and
/// NaN.
fn combine_extreme<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    largest: bool,
    before: Value<'c, 'a>,
    value: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let kind = if largest {
        CompareKind::Ge
    } else {
        CompareKind::Le
    };
    let better = compare(builder, kind, before, value);
    let nan = typed::Unary::create(builder, UnaryKind::IsNan, before, builder.i(1)).result();
    let keeps = builder.binary(BinaryKind::Or, better, nan);
    builder.select(keeps, before, value)
}

/// `typed.compare`.
pub(super) fn compare<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    kind: CompareKind,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Value<'c, 'a> {
    typed::Compare::create(builder, kind, left, right).result()
}
