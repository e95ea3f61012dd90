//! Makes parallel loops of array expressions and fills.

use super::{
    assignment::is_assigned_directly,
    conversion::{Conversion, THREADS, leave_to_assignment, yielded},
};
use crate::{
    analysis::{nest::NestBuilder, shape::rank, sizes::is_natural},
    infra::{
        BlockExt, Builder, CmpInt, OperationExt, PassContext, PassResult, PassSpec, RegionExt,
        StatisticSpec, ValueExt,
        emit::{Emit, mapped},
        ops::{func, typed},
    },
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use pyopt_dialects::enums::PatternKind;

/// The `parfor-from-numpy` pass.
pub static PASS: PassSpec = PassSpec {
    description: "`typed.array_expr` and `typed.generate` become `parfor.loop`. Operands of a loop \
                  are passed through `typed.broadcast` unless they are known to have the sizes of \
                  its space, so that every loop reads at its own indices. An expression that is \
                  for nothing but an assignment is left to `parfor-from-setitem` and \
                  `parfor-from-inplace-binop`, which compute it right into the target.",
    anchor: func::Func::NAME,
    dialects: &["arith", "parfor", "typed"],
    options: &[THREADS],
    statistics: &[StatisticSpec::new("loops", "parallel loops made")],
    ..PassSpec::new(
        "parfor-from-numpy",
        "make parallel loops of array expressions and fills",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    // Before anything is converted: later it would be harder to see what may be moved.
    let (assigned, others): (Vec<_>, Vec<_>) = function
        .nested_ops::<typed::ArrayExpr>()
        .into_iter()
        .partition(|expression| is_assigned_directly(*expression));
    for expression in assigned {
        leave_to_assignment(&builder, *expression);
    }
    let mut pass = Conversion::new(cx, &builder);
    for expression in others {
        builder.before(*expression);
        pass.array_expr(expression);
        cx.bump("loops", 1);
    }
    for fill in function.nested_ops::<typed::Generate>() {
        builder.before(*fill);
        pass.generate(fill);
        cx.bump("loops", 1);
    }
    Ok(())
}

impl<'c: 'a, 'a> Conversion<'c, 'a, '_> {
    fn array_expr(&mut self, operation: typed::ArrayExpr<'c, 'a>) {
        let builder = self.builder;
        let operands = operation.inputs();
        let result = operation.result();
        let block = operation.body().entry().expect("an expression has a body");

        let extents: Vec<_> = (0..rank(result))
            .map(|dimension| self.broadcast_extent(&operands, rank(result), dimension))
            .collect();
        let operands: Vec<_> = operands
            .into_iter()
            .map(|operand| self.broadcast(operand, &extents))
            .collect();
        let body = |indices: &[Value<'c, 'a>]| {
            let mut mapping = Vec::new();
            for (parameter, operand) in block.argument_values().into_iter().zip(&operands) {
                mapping.push((parameter, self.element(operand, indices)));
            }
            builder.copy_block(block, &mut mapping);
            vec![mapped(&mapping, yielded(block))]
        };

        self.replace_by_fresh(*operation, &extents, PatternKind::ArrayExpr, body);
    }

    fn generate(&mut self, operation: typed::Generate<'c, 'a>) {
        let builder = self.builder;
        let block = operation.body().entry().expect("a generator has a body");
        let extents: Vec<_> = operation
            .sizes()
            .into_iter()
            .map(|size| self.natural(size))
            .collect();
        let body = |indices: &[Value<'c, 'a>]| {
            let mut mapping: Vec<_> = block
                .argument_values()
                .into_iter()
                .zip(indices.iter().copied())
                .collect();
            builder.copy_block(block, &mut mapping);
            vec![mapped(&mapping, yielded(block))]
        };
        self.replace_by_fresh(*operation, &extents, PatternKind::Fill, body);
    }

    /// Replaces an operation by a loop for the elements of its result; without dimensions there is
    /// one element and no loop.
    fn replace_by_fresh(
        &self,
        operation: OperationRef<'c, 'a>,
        extents: &[Value<'c, 'a>],
        pattern: PatternKind,
        body: impl FnOnce(&[Value<'c, 'a>]) -> Vec<Value<'c, 'a>>,
    ) {
        let builder = self.builder;
        let r#type = operation.result_value(0).ty();
        if extents.is_empty() {
            let values = body(&[]);
            let array = builder.at(operation.location()).empty(&[], r#type);
            builder.store(values[0], array, &[]);
            builder.replace_op(operation, &[array]);
            return;
        }
        let mut nest = NestBuilder::new(extents, pattern).fresh(r#type);
        nest.serial = self.serial;
        let nest = nest.build(builder, body);
        builder.replace_op(operation, &nest.fresh());
    }

    /// A size as an `index`. Where the array isn't made in the end nobody else checks it.
    fn natural(&self, size: Value<'c, 'a>) -> Value<'c, 'a> {
        let builder = self.builder;
        let index = builder.cast(size, builder.index_type());
        if !is_natural(size) {
            let negative = builder.cmpi(CmpInt::Slt, index, builder.index(0));
            builder.raise_if(
                negative,
                "ValueError",
                "negative dimensions are not allowed",
            );
        }
        index
    }
}
