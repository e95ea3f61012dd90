//! Makes parallel loops of reductions of whole arrays.

use super::conversion::{Conversion, THREADS};
use crate::{
    analysis::{
        nest::{NestBuilder, Reduction},
        reduction::{Combination, combine_kind, identity},
        shape::rank,
    },
    infra::{
        Builder, CmpInt, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec, ValueExt,
        emit::Emit,
        ops::{func, typed},
    },
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use pyopt_dialects::{
    enums::{PatternKind, ReduceKind},
    parfor::Pattern,
};

/// The `parfor-from-reduction` pass.
pub static PASS: PassSpec = PassSpec {
    description: "`typed.reduce` becomes a `parfor.loop` with a reduction, whose additions may be \
                  done in any order. The least and the greatest element of nothing are errors \
                  before the loop.",
    anchor: func::Func::NAME,
    dialects: &["arith", "parfor", "typed"],
    options: &[THREADS],
    statistics: &[StatisticSpec::new("loops", "parallel loops made")],
    ..PassSpec::new(
        "parfor-from-reduction",
        "make parallel loops of reductions of arrays",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    let mut pass = Conversion::new(cx, &builder);
    for operation in function.nested_ops::<typed::Reduce>() {
        builder.before(*operation);
        pass.reduce(cx, operation)?;
        cx.bump("loops", 1);
    }
    Ok(())
}

impl<'c: 'a, 'a> Conversion<'c, 'a, '_> {
    fn reduce(&mut self, cx: &PassContext<'c>, operation: typed::Reduce<'c, 'a>) -> PassResult {
        let builder = self.builder;
        let array = operation.array();
        let result = operation.result().ty();
        let kind = operation.kind();
        if rank(array) == 0 {
            let value = builder.load(array, &[]);
            builder.replace_op(*operation, &[builder.cast(value, result)]);
            return Ok(());
        }
        let Some(init) = identity(builder, combine_kind(kind, result), result) else {
            return Err(cx.error(
                operation.location(),
                format!("the {} of {result} elements is not supported", kind.name()),
            ));
        };

        let extents = self.sizes.all(builder, array);
        if matches!(kind, ReduceKind::Min | ReduceKind::Max) {
            let operation = if kind == ReduceKind::Min {
                "minimum"
            } else {
                "maximum"
            };
            self.check_not_empty(
                &extents,
                &format!(
                    "zero-size array to reduction operation {operation} which has no identity"
                ),
            );
        }
        let mut nest =
            NestBuilder::new(&extents, Pattern::new(PatternKind::Reduction, kind.name()));
        nest.serial = self.serial;
        nest.reductions.push(Reduction {
            kind: Combination::Operator(combine_kind(kind, result)),
            init,
            reassociate: true,
        });
        let nest = nest.build(builder, |indices| {
            vec![builder.cast(builder.load(array, indices), result)]
        });
        builder.replace_op(*operation, &nest.reduced());
        Ok(())
    }

    fn check_not_empty(&self, extents: &[Value<'c, 'a>], message: &str) {
        let builder = self.builder;
        let zero = builder.index(0);
        let empty = extents
            .iter()
            .map(|extent| builder.cmpi(CmpInt::Eq, *extent, zero))
            .reduce(|a, b| builder.or(a, b))
            .expect("an array that is looped over has dimensions");
        builder.raise_if(empty, "ValueError", message);
    }
}
