//! Raising, in and outside of protected blocks.

use super::function::Emission;
use crate::{
    analysis::effects::may_raise,
    inference::{
        families::{
            exceptions::{self, Handled},
            objects,
        },
        issue::{Stop, Typing},
        val::Val,
    },
    infra::{
        BlockExt,
        ops::{py, typed},
    },
    py::edges::Edge,
    types::{
        display::display,
        exception_classes::HANDLED_BY_HOST,
        exceptions::{class, constant_instance},
    },
};
use melior::ir::{
    Attribute, BlockRef, OperationRef, Value,
    attribute::{ArrayAttribute, StringAttribute},
};
use pyopt_dialects::typed::TypedType;

/// What is raised.
#[derive(Clone, Copy)]
pub(super) enum Thrown<'c, 'a, 't> {
    /// A new exception of this class, with this message.
    New(Attribute<'c>, Option<&'t str>),
    /// An exception that there is already.
    Value(Val<'c, 'a>),
}

impl<'c: 'a, 'a> Emission<'_, 'c, 'a> {
    /// The end of a protected block. It is a plain branch where nothing can raise.
    pub(super) fn emit_try_br(&mut self, end: py::TryBr<'c, 'a>) -> Typing<()> {
        let (target, operands) = self.edge(*end, 0)?;
        let here = self.builder.block();
        if raises(here)
            && let Some(landing) = self.landing(*end)?
        {
            self.builder.at_end(here);
            self.try_branch(target, &operands, landing);
        } else {
            self.branch(target, &operands);
        }
        Ok(())
    }

    /// `raise`, with and without an exception.
    pub(super) fn emit_raise(&mut self, raise: py::Raise<'c, 'a>) -> Typing<()> {
        let Some(exception) = raise.exception() else {
            let function = self.e.program.specializations[self.e.specialization]
                .function
                .operation;
            let thrown = match Handled::of(function).at(raise) {
                Some(handled) => Thrown::Value(self.environment.val(handled)?),
                None => {
                    // Handlers ask for its class, which only the host knows.
                    if Edge::of(*raise).iter().any(|edge| edge.unwind) {
                        objects::raise_handled(&mut self.e);
                    }
                    Thrown::New(self.handled_by_host(), None)
                }
            };
            return self.throw(*raise, thrown);
        };
        let exception = self.environment.val(exception)?;
        if let Some(cause) = raise.cause() {
            let cause = self.environment.val(cause)?;
            if !cause.is_none() {
                let caused = exceptions::with_cause(&mut self.e, exception, cause)?;
                return self.throw(*raise, Thrown::Value(caused));
            }
        }
        if let Some(class) = class(self.e.context(), exception.ty) {
            return self.throw(*raise, Thrown::New(class, None));
        }
        if let Some((class, message)) = constant_instance(exception.ty) {
            return self.throw(*raise, Thrown::New(class, message));
        }
        if TypedType::from(exception.ty) == TypedType::Exception {
            return self.throw(*raise, Thrown::Value(exception));
        }
        Err(
            Stop::issue(format!("can't raise {}", display(exception.ty)))
                .hint("raise an exception class, or an instance of one"),
        )
    }

    /// The class of what a `raise` outside of handlers raises: a RuntimeError, unless the host
    /// handles an exception.
    fn handled_by_host(&self) -> Attribute<'c> {
        let context = self.e.context();
        let names = [HANDLED_BY_HOST, "RuntimeError"]
            .map(|name| StringAttribute::new(context, name).into());
        ArrayAttribute::new(context, &names).into()
    }

    /// What ends a handler that didn't take the exception.
    pub(super) fn emit_reraise(&mut self, raise: py::Reraise<'c, 'a>) -> Typing<()> {
        let exception = self.environment.val(raise.exception())?;
        self.throw(*raise, Thrown::Value(exception))
    }

    /// Ends the block with an exception: it leaves the function, or goes to the handler of the
    /// terminator.
    pub(super) fn throw(
        &mut self,
        terminator: OperationRef<'c, 'a>,
        thrown: Thrown<'c, 'a, '_>,
    ) -> Typing<()> {
        let here = self.builder.block();
        let location = self.builder.location();
        let Some(landing) = self.landing(terminator)? else {
            match thrown {
                Thrown::New(class, message) => {
                    typed::Raise::create(self.builder, class).set_message(message);
                }
                Thrown::Value(exception) => {
                    typed::RaiseValue::create(self.builder, exception.ir());
                }
            }
            return Ok(());
        };
        self.builder.at_end(here).at(location);
        if raises(here) {
            let next = self.builder.append_block(self.function.body(), &[]);
            self.builder.at_end(here);
            self.try_branch(next, &[], landing);
            self.builder.at_end(next);
        }
        let exception = match thrown {
            Thrown::New(class, message) => exceptions::construct(&mut self.e, class, message, &[]),
            Thrown::Value(exception) => exception,
        };
        let exception = exception.value.ok_or(Stop::Unknown)?;
        self.branch(landing, &[exception]);
        Ok(())
    }

    /// Ends the block with a branch that exceptions leave to a landing block.
    pub(super) fn try_branch(
        &self,
        target: BlockRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
        landing: BlockRef<'c, 'a>,
    ) {
        typed::TryBr::create(self.builder, operands, target, landing);
    }

    /// A block that goes to the handler of a terminator with what the handler gets, converted to
    /// its types. Its argument is the exception.
    pub(super) fn landing(
        &mut self,
        terminator: OperationRef<'c, 'a>,
    ) -> Typing<Option<BlockRef<'c, 'a>>> {
        let edges = Edge::of(terminator);
        let Some(edge) = edges.iter().find(|edge| edge.unwind) else {
            return Ok(None);
        };
        let ty = self.e.type_of(TypedType::Exception);
        let landing = self.builder.append_block(self.function.body(), &[ty]);
        self.builder.at_end(landing);
        let (handler, operands) = self.edge(terminator, edge.index)?;
        let exception = landing.argument_value(0);
        self.branch(handler, &[&[exception], operands.as_slice()].concat());
        Ok(Some(landing))
    }
}

/// Whether an operation that is in a block so far may raise.
fn raises(block: BlockRef) -> bool {
    block.operation_list().into_iter().any(may_raise)
}
