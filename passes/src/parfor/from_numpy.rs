//! Makes parallel loops of NumPy's operations on whole arrays.

use super::{
    effects::may_alias,
    emit::{Emit, mapped},
    nest::{NestBuilder, Reduction},
    reduction::{identity, reduce_kind},
    shape::{Extent, Sizes, has_extents, rank},
};
use crate::infra::{
    BlockExt, Builder, OperationAttributes, OperationExt, OptionSpec, PassContext, PassResult,
    PassSpec, RegionExt, StatisticSpec, ValueExt,
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use pyopt_dialects::{enums::ReduceKind, typed::array_type};

/// The `parfor-from-numpy` pass.
pub static PASS: PassSpec = PassSpec {
    description: "`typed.array_expr`, `typed.generate`, `typed.reduce` and `typed.assign` become \
                  `parfor.loop`. Operands of a loop are passed through `typed.broadcast` unless \
                  they are known to have the sizes of its space, so that every loop reads at its \
                  own indices. An assignment first copies a source that may overlap its target.",
    anchor: "func.func",
    dialects: &["arith", "parfor", "typed"],
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
    let mut pass = Pass {
        builder: &builder,
        sizes: Sizes::default(),
        serial: [
            !cx.options().bool("numpy"),
            !cx.options().bool("reduction"),
            !cx.options().bool("setitem"),
        ],
    };
    for operation in function.post_order() {
        builder.before(operation);
        match operation.full_name() {
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
        let scalar_result = rank(result) == 0;

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

        if scalar_result {
            let values = body(&[]);
            let array = builder.at(operation.location()).empty(&[], result.ty());
            builder.store(values[0], array, &[]);
            builder.replace_op(operation, &[array]);
            return;
        }
        let mut nest = NestBuilder::new(&extents, "array_expr").fresh(result.ty());
        nest.serial = self.serial[0];
        let nest = nest.build(builder, body);
        builder.replace_op(operation, &nest.fresh());
    }

    fn generate(&mut self, operation: OperationRef<'c, 'a>) {
        let builder = self.builder;
        let result = operation.result_value(0);
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
        if extents.is_empty() {
            let values = body(&[]);
            let array = builder.at(operation.location()).empty(&[], result.ty());
            builder.store(values[0], array, &[]);
            builder.replace_op(operation, &[array]);
            return;
        }
        let mut nest = NestBuilder::new(&extents, "fill").fresh(result.ty());
        nest.serial = self.serial[0];
        let nest = nest.build(builder, body);
        builder.replace_op(operation, &nest.fresh());
    }

    /// A size as an `index`. Where the array isn't made in the end nobody else checks it.
    fn natural(&self, size: Value<'c, 'a>) -> Value<'c, 'a> {
        let builder = self.builder;
        let index = builder.cast(size, builder.index_type());
        if !Extent::of(size).is_natural() {
            let negative = builder.cmpi(super::emit::Predicate::Less, index, builder.index(0));
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
            .map(|extent| builder.cmpi(super::emit::Predicate::Equal, *extent, zero))
            .reduce(|a, b| builder.arith("arith.ori", a, b))
            .expect("an array that is looped over has dimensions");
        builder.raise_if(empty, "ValueError", message);
    }

    fn assign(&mut self, operation: OperationRef<'c, 'a>) {
        let builder = self.builder;
        let (mut value, target) = (operation.operand_value(0), operation.operand_value(1));
        let element = super::emit::element_type(target);
        if rank(target) == 0 {
            let value = self.element(value, &[]);
            builder.store(builder.cast(value, element), target, &[]);
            builder.erase_op(operation);
            return;
        }
        let extents = self.sizes.all(builder, target);
        if array_type(value.ty()).is_some() {
            value = self.drop_leading(value, rank(target));
            value = self.broadcast(value, &extents);
            if value != target && may_alias(value, target) {
                value = self.copy(value);
            }
        }
        let mut nest = NestBuilder::new(&extents, "setitem");
        nest.serial = self.serial[2];
        nest.build(builder, |indices| {
            let value = self.element(value, indices);
            builder.store(builder.cast(value, element), target, indices);
            vec![]
        });
        builder.erase_op(operation);
    }

    /// Drops the leading dimensions that a source has more than its target; they must be 1.
    fn drop_leading(&mut self, array: Value<'c, 'a>, wanted: usize) -> Value<'c, 'a> {
        let builder = self.builder;
        let Some(surplus) = rank(array)
            .checked_sub(wanted)
            .filter(|surplus| *surplus > 0)
        else {
            return array;
        };
        let one = builder.index(1);
        let mut subscripts = vec![array];
        for dimension in 0..surplus {
            let size = self.sizes.of(builder, array, dimension);
            let wrong = builder.cmpi(super::emit::Predicate::NotEqual, size, one);
            builder.raise_if(wrong, "ValueError", super::effects::BROADCAST_ERROR);
            subscripts.push(builder.index(0));
        }
        let mut view = array_type(array.ty()).expect("the source is an array");
        view.rank = wanted;
        // Whatever lies behind dimensions of size 1 keeps its layout in row order only.
        if view.layout == pyopt_dialects::typed::Layout::F {
            view.layout = pyopt_dialects::typed::Layout::A;
        }
        builder.value(
            "typed.view",
            &subscripts,
            view.to_type(builder.context()),
            &[],
        )
    }

    /// A fresh array with the same elements.
    fn copy(&mut self, array: Value<'c, 'a>) -> Value<'c, 'a> {
        let builder = self.builder;
        let mut fresh = array_type(array.ty()).expect("only arrays are copied");
        fresh.readonly = false;
        if !fresh.layout.is_contiguous() {
            fresh.layout = pyopt_dialects::typed::Layout::C;
        }
        let mut nest = NestBuilder::new(&self.sizes.all(builder, array), "copy")
            .fresh(fresh.to_type(builder.context()));
        nest.serial = self.serial[2];
        let nest = nest.build(builder, |indices| vec![builder.load(array, indices)]);
        nest.fresh()[0]
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
