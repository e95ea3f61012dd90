//! Loops over generators.

use super::function::Emission;
use crate::{
    inference::{
        families::generators,
        issue::{Stop, Typing},
        program::{Program, specialization::SpecId},
        val::Val,
    },
    infra::{
        BlockExt, Builder, OperationExt, RegionExt, ValueExt,
        ops::{AnyOp, cf, func, marks, typed},
    },
    types::iteration::{never_yields, resumed_item},
};
use melior::ir::{Attribute, OperationRef, attribute::StringAttribute, r#type::FunctionType};
use pyopt_dialects::typed::TypedType;

/// The message of CPython's for a `StopIteration` that would leave a generator.
const RAISED: &str = "generator raised StopIteration";

/// Declares the function that resumes the generator of a specialisation, if it has one;
/// `typed-expand-generators` makes the body.
pub(super) fn declare_resuming_function<'c, 'a>(
    program: &Program<'c, 'a>,
    builder: &Builder<'c, 'a>,
    id: SpecId,
) {
    let specialization = &program.specializations[id];
    if !specialization.function.is_generator {
        return;
    }
    let context = program.context;
    let generator = specialization.result.storage(context);
    let TypedType::Generator(symbol, item) = TypedType::from(generator) else {
        return;
    };
    let resumed = TypedType::Unbound(resumed_item(context, item)).to_type(context);
    let ty = FunctionType::new(context, &[generator], &[resumed]);
    let function = func::Func::create(builder, symbol, ty.into());
    function.set_sym_visibility(Some("private"));
    let name = StringAttribute::new(context, specialization.function.name());
    function.set_attr(marks::FUNCTION, name);
}

impl<'c: 'a, 'a> Emission<'_, 'c, 'a> {
    /// Whether the function is a generator's.
    pub(super) fn is_generator(&self) -> bool {
        self.e.program.specializations[self.e.specialization]
            .function
            .is_generator
    }

    /// The end of a loop's header: resumes the generator, and goes into the loop with its item.
    pub(super) fn emit_for_generator(
        &mut self,
        terminator: OperationRef<'c, 'a>,
        generator: Val<'c, 'a>,
    ) -> Typing<()> {
        let region = self.function.body();
        let (more, item) = generators::resume(&mut self.e, generator)?;
        let here = self.builder.block();
        let location = self.builder.location();
        let test = match self.landing(terminator)? {
            None => here,
            Some(landing) => {
                let test = self.builder.append_block(region, &[]);
                self.builder.at_end(here).at(location);
                self.try_branch(test, &[], landing);
                // What the edges convert is behind the branch.
                self.builder.at_end(test);
                test
            }
        };
        let (exit, exit_operands) = self.edge(terminator, 1)?;
        if never_yields(generator.ty) {
            self.builder.at_end(test).at(location);
            self.branch(exit, &exit_operands);
            return Ok(());
        }
        let (body, body_operands) = self.edge(terminator, 0)?;
        let between = self.builder.append_block(region, &[]);
        self.builder.at_end(between).at(location);
        let item = self.e.coerce(item, body.argument_value(0).ty())?;
        let item = item.value.ok_or(Stop::Unknown)?;
        self.branch(body, &[&[item], body_operands.as_slice()].concat());
        self.builder.at_end(test);
        let more = more.value.ok_or(Stop::Unknown)?;
        cf::CondBranch::create(self.builder, more, &[], &exit_operands, between, exit);
        Ok(())
    }

    /// Has a `StopIteration` that would leave a generator be a RuntimeError, as in Python: whoever goes
    /// through it would take it for the end. One that a callee raises, or that a handler lets pass, is
    /// one for compiled code.
    pub(super) fn keep_stop_iterations(&self) {
        let stop: Attribute = StringAttribute::new(self.e.context(), "StopIteration").into();
        let other: Attribute = StringAttribute::new(self.e.context(), "RuntimeError").into();
        for block in self.function.body().block_list() {
            let is_protected = block
                .terminator_op()
                .is_some_and(|end| matches!(AnyOp::of(end), AnyOp::Typed(typed::Op::TryBr(_))));
            if is_protected {
                continue;
            }
            for operation in block.operation_list() {
                match AnyOp::of(operation) {
                    AnyOp::Typed(typed::Op::RaiseIf(raise)) if raise.exception() == stop => {
                        raise.set_exception(other);
                        raise.set_message(Some(RAISED));
                    }
                    AnyOp::Typed(typed::Op::Raise(raise)) if raise.exception() == stop => {
                        raise.set_exception(other);
                        raise.set_message(Some(RAISED));
                    }
                    _ => {}
                }
            }
        }
    }
}
