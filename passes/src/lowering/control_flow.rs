//! Branches, loops and functions that lowerings make.

use super::emit::Emit;
use crate::infra::{
    BlockExt, OperationExt, RegionExt, internal_linkage,
    ops::{builtin, cf, func, scf},
};
use melior::{
    Context,
    ir::{BlockRef, OperationRef, Type, Value, r#type::FunctionType},
};
use pyopt_dialects::upstream;

impl<'c: 'a, 'a> Emit<'_, 'c, 'a> {
    /// `scf.if` with results; each closure builds a branch and returns the values it yields.
    pub(super) fn if_else(
        &self,
        condition: Value<'c, 'a>,
        results: &[Type<'c>],
        then: impl FnOnce() -> Vec<Value<'c, 'a>>,
        otherwise: impl FnOnce() -> Vec<Value<'c, 'a>>,
    ) -> Vec<Value<'c, 'a>> {
        let branch = scf::If::create(self, condition, results);
        self.append_block(branch.then_region(), &[]);
        scf::Yield::create(self, &then());
        self.append_block(branch.else_region(), &[]);
        scf::Yield::create(self, &otherwise());
        self.after(*branch);
        branch.results()
    }

    /// `cf.br`.
    pub(super) fn branch(&self, to: BlockRef<'c, 'a>, arguments: &[Value<'c, 'a>]) {
        cf::Branch::create(self, arguments, to);
    }

    /// `cf.cond_br`; with `rare` the condition is marked as unlikely.
    pub(super) fn branch_if(
        &self,
        condition: Value<'c, 'a>,
        rare: bool,
        (then, then_arguments): (BlockRef<'c, 'a>, &[Value<'c, 'a>]),
        (otherwise, arguments): (BlockRef<'c, 'a>, &[Value<'c, 'a>]),
    ) {
        let branch =
            cf::CondBranch::create(self, condition, then_arguments, arguments, then, otherwise);
        if rare {
            branch.set_branch_weights(Some(&[1, 1 << 20]));
        }
    }

    /// Makes a private function at the end of `module`; the builder moves to its entry block, whose
    /// arguments are returned.
    pub(super) fn define(
        &self,
        module: OperationRef<'c, 'a>,
        name: &str,
        r#type: FunctionType<'c>,
    ) -> (func::Func<'c, 'a>, Vec<Value<'c, 'a>>) {
        if let Some(block) = module_block(module) {
            self.at_end(block);
        }
        let function = func::Func::create(self, name, r#type.into());
        make_internal(self.context(), function);
        let inputs: Vec<_> = (0..r#type.input_count())
            .filter_map(|index| r#type.input(index).ok())
            .collect();
        let block = self.append_block(function.body(), &inputs);
        (function, block.argument_values())
    }
}

/// The block of a module.
pub(super) fn module_block<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    builtin::Module::of(module)?.body_region().entry()
}

/// Lets only the module call a function, so that LLVM may inline and drop it.
pub(super) fn make_internal<'c>(context: &'c Context, function: func::Func<'c, '_>) {
    function.set_sym_visibility(Some("private"));
    function.set_attr(upstream::LINKAGE, internal_linkage(context));
}
