//! The second phase: builds the typed function of a specialisation whose types are known.

mod combiners;
mod dead;
mod exceptions;
mod function;
mod generators;
mod variables;

pub(crate) use self::combiners::declare_combiners;
use self::{
    dead::erase_dead,
    exceptions::Thrown,
    function::{Emission, present_slot},
};
use crate::{
    inference::{
        dispatch::RULES,
        emit::Emit,
        families::{closures, iteration as iterators, objects},
        issue::{Stop, Typing},
        program::{Program, environment::Slot, specialization::SpecId},
        step::{parameters, step},
        val::Val,
    },
    infra::{
        BlockExt, Builder, OperationExt, PassContext, PassResult, ValueExt,
        ops::{AnyOp, cf, func, marks, py, typed},
    },
    types::{display::display, iteration},
};
use melior::ir::{
    Attribute, BlockRef, Location, OperationRef, attribute::StringAttribute,
    operation::OperationLike, r#type::FunctionType,
};
use pyopt_dialects::typed::TypedType;
use std::collections::HashMap;

/// Builds the typed function of a specialisation at the end of the module's body.
pub(crate) fn emit<'c, 'a>(
    cx: &PassContext<'c>,
    program: &mut Program<'c, 'a>,
    builder: &Builder<'c, 'a>,
    module: BlockRef<'c, 'a>,
    id: SpecId,
) -> PassResult {
    let flow = std::mem::take(&mut program.specializations[id].flow);
    let location = program.specializations[id].function.operation.location();
    let function = declare(cx, program, builder, module, id, location);
    let mut emission = Emission {
        e: Emit::new(program, Some(builder), location, id, &RULES),
        builder,
        flow: &flow,
        function,
        blocks: HashMap::new(),
        variables: variables::types(cx.context(), &flow),
        environment: flow.environment.emptied(),
    };
    match emission.run() {
        Ok(()) if emission.is_generator() => emission.keep_stop_iterations(),
        Ok(()) => {}
        Err((location, Stop::Issue(issue))) => {
            return Err(program.fail(cx, id, location, &issue.message, issue.hint.as_deref()));
        }
        Err((location, _)) => {
            if let Some(callee) = program.blame_callee(id) {
                emit(cx, program, builder, module, callee)?;
            }
            let name = program.specializations[id].function.name();
            return Err(program.fail(
                cx,
                id,
                location,
                &format!("the type of this value in {name}() can't be inferred"),
                Some("a recursive function needs a return that doesn't depend on its own result"),
            ));
        }
    }
    erase_dead(*function);
    Ok(())
}

/// Makes the function with an empty entry block.
fn declare<'c, 'a>(
    cx: &PassContext<'c>,
    program: &Program<'c, 'a>,
    builder: &Builder<'c, 'a>,
    module: BlockRef<'c, 'a>,
    id: SpecId,
    location: Location<'c>,
) -> func::Func<'c, 'a> {
    let context = cx.context();
    let specialization = &program.specializations[id];
    let ty = FunctionType::new(
        context,
        &specialization.arguments,
        &[specialization.result.storage(context)],
    );
    builder.at_end(module).at(location);
    generators::declare_resuming_function(program, builder, id);
    let function = func::Func::create(builder, &specialization.symbol, ty.into());
    let name = StringAttribute::new(context, specialization.function.name());
    function.set_attr(marks::FUNCTION, name);
    if let Some(flags) = specialization.function.fastmath() {
        function.set_attr(marks::FASTMATH, flags);
    }
    if specialization.function.is_generator {
        function.set_attr(marks::GENERATOR, Attribute::unit(context));
    }
    if specialization.c_entry {
        function.set_attr(marks::C_ENTRY, Attribute::unit(context));
    }
    if specialization.entry {
        function.set_attr(marks::ENTRY, Attribute::unit(context));
    } else {
        function.set_sym_visibility(Some("private"));
    }
    function
}

type Located<'c, T> = Result<T, (Location<'c>, Stop)>;

impl<'c, 'a> Emission<'_, 'c, 'a> {
    fn run(&mut self) -> Located<'c, ()> {
        let start = self.e.location;
        self.declare_blocks().map_err(|stop| (start, stop))?;
        for block in self.flow.reached().collect::<Vec<_>>() {
            if let Err(stop) = self.emit_block(block) {
                let location = self.e.location;
                self.explain(location);
                return Err((location, stop));
            }
        }
        Ok(())
    }

    /// Makes a typed block for each reached block; the first one takes the function's arguments.
    fn declare_blocks(&mut self) -> Typing<()> {
        let context = self.e.context();
        let region = self.function.body();
        let specialization = &self.e.program.specializations[self.e.specialization];
        let types = &specialization.arguments;
        let entry = self.builder.append_block(region, types);
        let arguments: Vec<_> = entry
            .argument_values()
            .into_iter()
            .enumerate()
            .map(|(index, value)| Val {
                literal: specialization.argument_literal(context, index),
                ..Val::new(types[index], Some(value))
            })
            .collect();
        let values = parameters(&mut self.e, &arguments)?;
        for (position, block) in self.flow.reached().enumerate() {
            let parameters = block.argument_values();
            if position == 0 {
                for (&parameter, &value) in parameters.iter().zip(&values) {
                    self.environment.set(parameter, value.into());
                }
                self.blocks.insert(self.flow.position(block), entry);
                continue;
            }
            let facts: Vec<_> = parameters
                .iter()
                .map(|&parameter| self.flow.environment.slot(parameter).fact)
                .collect();
            let types: Vec<_> = facts.iter().map(|fact| fact.storage(context)).collect();
            let typed = self.builder.append_block(region, &types);
            for ((&parameter, fact), value) in
                parameters.iter().zip(facts).zip(typed.argument_values())
            {
                let value = Some(value);
                self.environment.set(parameter, Slot { fact, value });
            }
            self.blocks.insert(self.flow.position(block), typed);
        }
        self.builder.at_end(entry);
        Ok(())
    }

    /// Finds out where containers got their types that are one variable, or what is returned, where it stopped.
    fn explain(&mut self, location: Location<'c>) {
        let here = |operation: &OperationRef<'c, 'a>| operation.location() == location;
        let operations = || self.flow.reached().flat_map(|block| block.operation_list());
        let conflict = |value| self.flow.environment.slot(value).fact.conflict;
        let result = self.e.program.specializations[self.e.specialization].result;
        let found = operations().filter(here).find_map(|stopped| {
            if let (Some(_), Some(types)) = (py::Return::of(stopped), result.conflict) {
                let returns = operations().filter_map(py::Return::of);
                return Some((returns.map(|r#return| r#return.value()).collect(), types));
            }
            let operands = stopped.operand_values();
            operands
                .into_iter()
                .find_map(|value| Some((vec![value], conflict(value)?)))
        });
        let Some((values, (one, other))) = found else {
            return;
        };
        let sources: Vec<_> = (values.into_iter())
            .flat_map(|value| self.flow.sources(&self.e, value))
            .collect();
        let explained = [one, other].map(|ty| sources.iter().find(|source| source.later.ty == ty));
        self.e.program.explained = explained.into_iter().flatten().copied().collect();
    }

    fn emit_block(&mut self, block: BlockRef<'c, 'a>) -> Typing<()> {
        let typed = self.blocks[&self.flow.position(block)];
        self.builder.at_end(typed);
        let position = self.flow.position(block);
        let used = self.flow.presence.used_in(position, block).into_iter();
        let present: Vec<_> = used
            .filter_map(|value| {
                let slot = present_slot(&self.e, self.environment.everywhere(value))?;
                Some((value, slot))
            })
            .collect();
        self.environment.enter(present);
        for operation in block.operation_list() {
            if operation.is_terminator() {
                return self.emit_terminator(operation);
            }
            if let Some(mark) = typed::Variable::of(operation) {
                self.emit_variable(mark)?;
                continue;
            }
            match step(&mut self.e, &self.environment, operation) {
                Ok(slots) => {
                    for (result, slot) in operation.result_values().into_iter().zip(slots) {
                        self.environment.set(result, slot);
                    }
                }
                Err(Stop::Raises(class, message)) => {
                    let end = block.terminator_op().ok_or(Stop::Unknown)?;
                    let class = StringAttribute::new(self.e.context(), class).into();
                    let message = Some(message.as_str()).filter(|message| !message.is_empty());
                    return self.throw(end, Thrown::New(class, message));
                }
                Err(stop) => return Err(stop),
            }
        }
        Ok(())
    }

    fn emit_terminator(&mut self, terminator: OperationRef<'c, 'a>) -> Typing<()> {
        self.e.location = terminator.location();
        self.builder.at(self.e.location);
        match AnyOp::of(terminator) {
            AnyOp::Cf(cf::Op::Branch(_)) => {
                let (target, operands) = self.edge(terminator, 0)?;
                self.branch(target, &operands);
                Ok(())
            }
            AnyOp::Cf(cf::Op::CondBranch(branch)) => self.emit_conditional(branch),
            AnyOp::Py(py::Op::ForIter(header)) => self.emit_for_iter(header),
            AnyOp::Py(py::Op::Return(_)) if self.is_generator() => {
                self.e.effect(typed::EndGenerator::create);
                Ok(())
            }
            AnyOp::Py(py::Op::Return(r#return)) => self.emit_return(r#return),
            AnyOp::Py(py::Op::TryBr(end)) => self.emit_try_br(end),
            AnyOp::Py(py::Op::Raise(raise)) => self.emit_raise(raise),
            AnyOp::Py(py::Op::Reraise(raise)) => self.emit_reraise(raise),
            _ => {
                let name = terminator.full_name();
                Err(Stop::issue(format!("'{name}' can't be compiled")))
            }
        }
    }

    fn emit_conditional(&mut self, branch: cf::CondBranch<'c, 'a>) -> Typing<()> {
        let condition = self.environment.val(branch.condition())?;
        if let Some(known) = condition.literal_bool() {
            let (target, operands) = self.edge(*branch, usize::from(!known))?;
            self.branch(target, &operands);
            return Ok(());
        }
        let (yes, yes_operands) = self.edge(*branch, 0)?;
        let (no, no_operands) = self.edge(*branch, 1)?;
        let condition = condition.value.ok_or(Stop::Unknown)?;
        cf::CondBranch::create(
            self.builder,
            condition,
            &yes_operands,
            &no_operands,
            yes,
            no,
        );
        Ok(())
    }

    fn emit_for_iter(&mut self, header: py::ForIter<'c, 'a>) -> Typing<()> {
        let iterator = self.environment.val(header.iterator())?;
        if iteration::is_empty(iterator.ty) {
            let (exit, operands) = self.edge(*header, 1)?;
            self.branch(exit, &operands);
            return Ok(());
        }
        let item = iteration::item_type(self.e.context(), iterator.ty)
            .ok_or_else(|| Stop::issue(format!("can't iterate with {}", display(iterator.ty))))?;
        if let TypedType::Generator(..) = TypedType::from(iterator.ty) {
            return self.emit_for_generator(*header, iterator);
        }
        let (body, body_operands) = self.edge(*header, 0)?;
        let (exit, exit_operands) = self.edge(*header, 1)?;
        let iterator = iterator.value.ok_or(Stop::Unknown)?;
        if body.argument_value(0).ty() == item {
            typed::ForIter::create(
                self.builder,
                iterator,
                &body_operands,
                &exit_operands,
                body,
                exit,
            );
            return Ok(());
        }
        // The body can be entered from elsewhere, with another type: convert on the way.
        let here = self.builder.block();
        let between = self.builder.append_block(self.function.body(), &[item]);
        let value = Val::new(item, Some(between.argument_value(0)));
        let value = self.e.coerce(value, body.argument_value(0).ty())?;
        let value = value.value.ok_or(Stop::Unknown)?;
        self.branch(body, &[&[value], body_operands.as_slice()].concat());
        self.builder.at_end(here);
        typed::ForIter::create(self.builder, iterator, &[], &exit_operands, between, exit);
        Ok(())
    }

    fn emit_return(&mut self, r#return: py::Return<'c, 'a>) -> Typing<()> {
        let specialization = &self.e.program.specializations[self.e.specialization];
        let name = specialization.function.name();
        let result = specialization.result;
        if let Some((a, b)) = result.conflict {
            return Err(Stop::issue(format!(
                "can't unify the return types of {name}(): {} and {}",
                display(a),
                display(b)
            ))
            .hint("return one type on every path"));
        }
        let ty = result.ty.ok_or(Stop::Unknown)?;
        objects::check_return(ty)?;
        if self.e.program.specializations[self.e.specialization].entry {
            closures::check_entry_result(&self.e, ty)?;
        }
        let value = self.environment.val(r#return.value())?;
        let value = iterators::as_argument(&mut self.e, value)?;
        let value = self.e.coerce(value, ty)?;
        self.e.effect(|b| func::Return::create(b, &[value.ir()]));
        Ok(())
    }
}
