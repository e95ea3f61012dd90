//! Branches, loops and functions that lowerings make.

use super::emit::Emit;
use crate::infra::{BlockExt, OperationExt, RegionExt, ValueExt};
use melior::{
    Context,
    ir::{
        Attribute, BlockRef, OperationRef, Region, Type, Value,
        attribute::{DenseI32ArrayAttribute, StringAttribute, TypeAttribute},
        r#type::FunctionType,
    },
};

impl<'c: 'a, 'a> Emit<'_, 'c, 'a> {
    /// `scf.if` with results; each closure builds a branch and returns the values it yields.
    pub(super) fn if_else(
        &self,
        condition: Value<'c, 'a>,
        results: &[Type<'c>],
        then: impl FnOnce() -> Vec<Value<'c, 'a>>,
        otherwise: impl FnOnce() -> Vec<Value<'c, 'a>>,
    ) -> Vec<Value<'c, 'a>> {
        let operation = self.op_with("scf.if", &[condition], results, &[], |operation| {
            operation.add_regions([Region::new(), Region::new()])
        });
        self.append_block(operation.region_at(0), &[]);
        let values = then();
        self.op("scf.yield", &values, &[], &[]);
        self.append_block(operation.region_at(1), &[]);
        let values = otherwise();
        self.op("scf.yield", &values, &[], &[]);
        self.after(operation);
        operation.result_values()
    }

    /// `scf.for` from 0 to `count` with step 1, over `index`, carrying values.
    pub(super) fn for_each(
        &self,
        count: Value<'c, 'a>,
        carried: &[Value<'c, 'a>],
        body: impl FnOnce(Value<'c, 'a>, &[Value<'c, 'a>]) -> Vec<Value<'c, 'a>>,
    ) -> Vec<Value<'c, 'a>> {
        let types: Vec<_> = carried.iter().map(|value| value.ty()).collect();
        let mut operands = vec![self.index(0), count, self.index(1)];
        operands.extend(carried);
        let operation = self.op_with("scf.for", &operands, &types, &[], |operation| {
            operation.add_regions([Region::new()])
        });
        let arguments: Vec<_> = [self.index_type()].into_iter().chain(types).collect();
        let block = self.append_block(operation.region_at(0), &arguments);
        let arguments = block.argument_values();
        let values = body(arguments[0], &arguments[1..]);
        self.op("scf.yield", &values, &[], &[]);
        self.after(operation);
        operation.result_values()
    }

    /// `cf.br`.
    pub(super) fn branch(&self, to: BlockRef<'c, 'a>, arguments: &[Value<'c, 'a>]) {
        self.op_with("cf.br", arguments, &[], &[], |operation| {
            operation.add_successors(&[&to])
        });
    }

    /// `cf.cond_br`; with `rare` the condition is marked as unlikely.
    pub(super) fn branch_if(
        &self,
        condition: Value<'c, 'a>,
        rare: bool,
        (then, then_arguments): (BlockRef<'c, 'a>, &[Value<'c, 'a>]),
        (otherwise, arguments): (BlockRef<'c, 'a>, &[Value<'c, 'a>]),
    ) {
        let context = self.context();
        let segments = [1, then_arguments.len() as i32, arguments.len() as i32];
        let mut attributes = vec![(
            "operandSegmentSizes",
            DenseI32ArrayAttribute::new(context, &segments).into(),
        )];
        if rare {
            let weights = DenseI32ArrayAttribute::new(context, &[1, 1 << 20]);
            attributes.push(("branch_weights", weights.into()));
        }
        let operands = [&[condition], then_arguments, arguments].concat();
        self.op_with("cf.cond_br", &operands, &[], &attributes, |operation| {
            operation.add_successors(&[&then, &otherwise])
        });
    }

    /// Makes a private function at the end of `module`; the builder moves to its entry block, whose
    /// arguments are returned.
    pub(super) fn define(
        &self,
        module: OperationRef<'c, 'a>,
        name: &str,
        r#type: FunctionType<'c>,
    ) -> (OperationRef<'c, 'a>, Vec<Value<'c, 'a>>) {
        let context = self.context();
        if let Some(block) = module.region_at(0).entry() {
            self.at_end(block);
        }
        let function = self.op_with(
            "func.func",
            &[],
            &[],
            &[
                ("sym_name", StringAttribute::new(context, name).into()),
                ("function_type", TypeAttribute::new(r#type.into()).into()),
            ],
            |operation| operation.add_regions([Region::new()]),
        );
        make_internal(context, function);
        let inputs: Vec<_> = (0..r#type.input_count())
            .filter_map(|index| r#type.input(index).ok())
            .collect();
        let block = self.append_block(function.region_at(0), &inputs);
        (function, block.argument_values())
    }
}

/// Gives a function internal linkage, so that LLVM may inline and drop it.
pub(super) fn make_internal<'c>(context: &'c Context, function: OperationRef<'c, '_>) {
    function.set_attr("sym_visibility", StringAttribute::new(context, "private"));
    let internal = Attribute::parse(context, "#llvm.linkage<internal>");
    function.set_attr(
        "llvm.linkage",
        internal.expect("the attribute is well-formed"),
    );
}
