//! Makes parallel loops of NumPy's operations on whole arrays.

mod assignment;

use super::{
    emit::{Emit, mapped},
    nest::{NestBuilder, Reduction},
    reduction::{identity, reduce_kind},
    shape::{Extent, Sizes, has_extents, rank},
};
use crate::infra::{
    BlockExt, Builder, CmpInt, OperationAttributes, OperationExt, OptionSpec, PassContext,
    PassResult, PassSpec, RegionExt, StatisticSpec, ValueExt,
};
use assignment::is_assigned_directly;
use melior::ir::{OperationRef, Value, operation::OperationLike};
use pyopt_dialects::{enums::ReduceKind, typed::array_type};

/// The `parfor-from-numpy` pass.
pub static PASS: PassSpec = PassSpec {
    description: "`typed.array_expr`, `typed.generate`, `typed.reduce` and `typed.assign` become \
                  `parfor.loop`. Operands of a loop are passed through `typed.broadcast` unless \
                  they are known to have the sizes of its space, so that every loop reads at its \
                  own indices. An expression that is assigned is computed right into the target. \
                  Sources that overlap it at run time are copied first.",
    anchor: "func.func",
    dialects: &["arith", "parfor", "scf", "typed"],
    options: &[
        OptionSpec::bool("numpy", "convert array expressions and fills", true),
        OptionSpec::bool("reduction", "convert reductions", true),
        OptionSpec::bool("setitem", "convert assignments of slices", true),
    ],
    statistics: &[StatisticSpec::new("loops", "parallel loops made")],
    ..PassSpec::new(
        "parfor-from-numpy",
        "make parallel loops of array operations",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    let mut assigned = function.nested("typed.array_expr");
    assigned.retain(|expression| is_assigned_directly(*expression));
    let mut pass = Pass {
        builder: &builder,
        sizes: Sizes::default(),
        assigned,
        serial: [
            !cx.options().bool("numpy"),
            !cx.options().bool("reduction"),
            !cx.options().bool("setitem"),
        ],
    };
    for operation in function.post_order() {
        builder.before(operation);
        match operation.full_name() {
            // Its elements are computed right into the target of an assignment.
            "typed.array_expr" if pass.assigned.contains(&operation) => continue,
            "typed.array_expr" => pass.array_expr(operation),
            "typed.generate" => pass.generate(operation),
            "typed.reduce" => pass.reduce(cx, operation)?,
            "typed.assign" => pass.assign(operation),
            _ => continue,
        }
        cx.bump("loops", 1);
    }
    Ok(())
}

struct Pass<'c, 'a, 'b> {
    builder: &'b Builder<'c, 'a>,
    sizes: Sizes<'c, 'a>,
    /// The expressions that are computed by the assignments they are for.
    assigned: Vec<OperationRef<'c, 'a>>,
    /// Whether loops of fills and expressions, of reductions, of assignments are switched off:
    /// they are made all the same, as there is no other way down, but stay on one thread.
    serial: [bool; 3],
}

impl<'c: 'a, 'a> Pass<'c, 'a, '_> {
    fn array_expr(&mut self, operation: OperationRef<'c, 'a>) {
        let builder = self.builder;
        let operands = operation.operand_values();
        let result = operation.result_value(0);
        let block = operation
            .region_at(0)
            .entry()
            .expect("an expression has a body");

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
                mapping.push((parameter, self.element(*operand, indices)));
            }
            builder.copy_block(block, &mut mapping);
            let terminator = block.terminator_op().expect("an expression yields");
            vec![mapped(&mapping, terminator.operand_value(0))]
        };

        self.replace_by_fresh(operation, &extents, "array_expr", body);
    }

    fn generate(&mut self, operation: OperationRef<'c, 'a>) {
        let builder = self.builder;
        let block = operation
            .region_at(0)
            .entry()
            .expect("a generator has a body");
        let extents: Vec<_> = operation
            .operand_values()
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
            let terminator = block.terminator_op().expect("a generator yields");
            vec![mapped(&mapping, terminator.operand_value(0))]
        };
        self.replace_by_fresh(operation, &extents, "fill", body);
    }

    /// Replaces an operation by a loop for the elements of its result; without dimensions there is
    /// one element and no loop.
    fn replace_by_fresh(
        &self,
        operation: OperationRef<'c, 'a>,
        extents: &[Value<'c, 'a>],
        pattern: &str,
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
        nest.serial = self.serial[0];
        let nest = nest.build(builder, body);
        builder.replace_op(operation, &nest.fresh());
    }

    /// A size as an `index`. Where the array isn't made in the end nobody else checks it.
    fn natural(&self, size: Value<'c, 'a>) -> Value<'c, 'a> {
        let builder = self.builder;
        let index = builder.cast(size, builder.index_type());
        if !Extent::of(size).is_natural() {
            let negative = builder.cmpi(CmpInt::Slt, index, builder.index(0));
            builder.raise_if(
                negative,
                "ValueError",
                "negative dimensions are not allowed",
            );
        }
        index
    }

    fn reduce(&mut self, cx: &PassContext<'c>, operation: OperationRef<'c, 'a>) -> PassResult {
        let builder = self.builder;
        let array = operation.operand_value(0);
        let result = operation.result_value(0).ty();
        let kind = operation.required(
            "kind",
            operation.attr("kind").and_then(ReduceKind::from_attribute),
        )?;
        if rank(array) == 0 {
            let value = builder.load(array, &[]);
            builder.replace_op(operation, &[builder.cast(value, result)]);
            return Ok(());
        }
        let Some(init) = identity(builder, reduce_kind(kind, result), result) else {
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
        let mut nest = NestBuilder::new(&extents, &format!("reduction {}", kind.name()));
        nest.serial = self.serial[1];
        nest.reductions.push(Reduction {
            kind: reduce_kind(kind, result).to_owned(),
            init,
            reassociate: true,
        });
        let nest = nest.build(builder, |indices| {
            vec![builder.cast(builder.load(array, indices), result)]
        });
        builder.replace_op(operation, &nest.reduced());
        Ok(())
    }

    fn check_not_empty(&self, extents: &[Value<'c, 'a>], message: &str) {
        let builder = self.builder;
        let zero = builder.index(0);
        let empty = extents
            .iter()
            .map(|extent| builder.cmpi(CmpInt::Eq, *extent, zero))
            .reduce(|a, b| builder.bin("arith.ori", a, b))
            .expect("an array that is looped over has dimensions");
        builder.raise_if(empty, "ValueError", message);
    }

    /// What the operands' sizes in one dimension of the result broadcast to.
    fn broadcast_extent(
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
                Some(before) if Extent::of(before) == Extent::of(size) => before,
                Some(before) => self.builder.value(
                    "typed.broadcast_size",
                    &[before, size],
                    self.builder.index_type(),
                    &[],
                ),
            });
        }
        extent.expect("some operand has the result's rank")
    }

    /// An operand with exactly the sizes of the space, as far as it has dimensions.
    fn broadcast(&self, operand: Value<'c, 'a>, extents: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        let own = &extents[extents.len() - rank(operand)..];
        if own.is_empty() || has_extents(operand, own) {
            return operand;
        }
        self.builder.broadcast(operand, own)
    }

    /// The element that an operand has at indices of the space; a scalar is its own element.
    fn element(&self, operand: Value<'c, 'a>, indices: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        if array_type(operand.ty()).is_none() {
            return operand;
        }
        self.builder
            .load(operand, &indices[indices.len() - rank(operand)..])
    }
}
