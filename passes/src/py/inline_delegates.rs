//! `py-inline-delegates`: generators whose value a `yield from` gives are put in its place.
//!
//! A loop over a generator doesn't know what that returns. Where the generator is a function of the program that
//! is called there, its body yields to the same caller as the one that delegates to it, so that the body is all
//! that there is to do.

use super::{
    bindings::Bindings,
    blocks::erase_unreachable,
    expand_yield_from::End,
    inline::{bind_free_variables, default_of, reads_free_variables_alone},
    inlining::{Inlining, jump},
};
use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec, ValueExt,
    ops::py,
};
use melior::ir::{OperationRef, operation::OperationLike};

/// How many delegates a generator is given at most: those that delegate to themselves have no end.
const MAX_DELEGATES: usize = 64;

/// Delegation with a value.
pub static PASS: PassSpec = PassSpec {
    description: "Where the value of a `yield from` is used whose operand is a call of a generator of the \
                  program, that one's body takes the place of both, and what it returns is the value. A \
                  generator that delegates to itself stays, and so does one that does more with free variables \
                  than to read them.",
    dialects: &["cf", "py"],
    statistics: &[StatisticSpec::new(
        "inlined",
        "generators that were inlined",
    )],
    ..PassSpec::new(
        "py-inline-delegates",
        "inline generators whose value a `yield from` gives",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let functions = root.nested_ops::<py::Func>();
    let delegates = |function: &py::Func<'c, '_>| !function.nested_ops::<py::Send>().is_empty();
    if !functions.iter().any(delegates) {
        return Ok(());
    }
    let bindings = Bindings::read(cx.context(), root);
    let builder = Builder::new(cx.context(), root);
    for function in functions {
        for _ in 0..MAX_DELEGATES {
            let mut sends = function.nested_ops::<py::Send>().into_iter();
            let found = sends.find_map(|send| Delegation::of(&bindings, function, send));
            let Some(delegation) = found else {
                break;
            };
            if !delegation.inline(&builder)? {
                break;
            }
            erase_unreachable(function);
            cx.bump("inlined", 1);
        }
    }
    Ok(())
}

/// A `yield from` with a value, whose operand is a call of a generator.
struct Delegation<'c, 'a> {
    send: py::Send<'c, 'a>,
    iterator: py::GetYieldFromIter<'c, 'a>,
    call: py::Call<'c, 'a>,
    generator: py::Func<'c, 'a>,
    end: End<'c, 'a>,
}

impl<'c: 'a, 'a> Delegation<'c, 'a> {
    fn of(
        bindings: &Bindings<'c, 'a>,
        function: py::Func<'c, 'a>,
        send: py::Send<'c, 'a>,
    ) -> Option<Self> {
        let iterator = py::GetYieldFromIter::defining(send.receiver())?;
        let call = py::Call::defining(iterator.iterable())?;
        let generator = bindings.callee(call.callee())?;
        let end = End::of(send)?;
        let leaves = end.branch.true_dest_operands().into_iter();
        let is_used = leaves
            .zip(end.branch.true_dest().argument_values())
            .any(|(value, argument)| value == send.result() && argument.has_uses());
        let is_own = [call.result(), iterator.result(), send.done()]
            .iter()
            .all(|value| value.uses().len() == 1);
        let may_inline = generator != function && reads_free_variables_alone(generator);
        let is_delegation = is_used && is_own && end.branch.condition() == send.done();
        (is_delegation && may_inline).then_some(Self {
            send,
            iterator,
            call,
            generator,
            end,
        })
    }

    /// Puts the body in the place of the call; whether its arguments fit.
    fn inline(self, builder: &Builder<'c, 'a>) -> PassResult<bool> {
        let defaults = |function: &_, index| default_of(function, index);
        let Some(inlining) = Inlining::of_delegate(self.call, self.generator, &defaults)? else {
            return Ok(false);
        };
        let made = inlining.apply(builder);
        made.iter()
            .for_each(|block| bind_free_variables(builder, *block));
        // What was the generator is what it returns.
        let returned = self.iterator.iterable();
        let exit = self.end.branch.true_dest();
        let leaves: Vec<_> = self.end.branch.true_dest_operands();
        let result = self.send.result();
        let leaves: Vec<_> = leaves
            .into_iter()
            .map(|value| if value == result { returned } else { value })
            .collect();
        builder.before(self.end.terminator).at(self.send.location());
        jump(builder, exit, &leaves);
        self.end.erase(builder);
        result.replace_all_uses(returned);
        let receiver = self.iterator.result();
        builder.erase_op(*self.send);
        receiver.replace_all_uses(returned);
        builder.erase_op(*self.iterator);
        Ok(true)
    }
}
