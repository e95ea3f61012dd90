//! `py-sink-iterables`: a generator expression makes the `enumerate`, `zip` or `reversed` that it goes
//! through itself.
//!
//! These are iterators, which have positions as long as they stay in one function: `sum(i * x for i, x
//! in enumerate(a))` passes `a` instead, and the loop of the expression counts.

use super::{bindings::Bindings, convert_closures::is_generator_expression};
use crate::infra::{
    BlockExt, Builder, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec,
    RegionExt, StatisticSpec, ValueExt,
    ops::{py, typed},
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use pyopt_dialects::py::object_type;
use std::collections::HashMap;

/// What makes iterators with positions.
const ITERATORS: &[&str] = &["builtins.enumerate", "builtins.reversed", "builtins.zip"];

/// Iterators where they are gone through.
pub static PASS: PassSpec = PassSpec {
    description: "Where a generator expression is called with the iterator of a call of \
                  `enumerate`, `reversed` or `zip` that is used for nothing else, it gets a tuple of \
                  that call's arguments, and makes the call itself.",
    dialects: &["py"],
    statistics: &[StatisticSpec::new(
        "calls",
        "calls in generator expressions",
    )],
    ..PassSpec::new(
        "py-sink-iterables",
        "make iterators in the generator expressions that go through them",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let makers = root.nested_ops::<py::MakeFunction>();
    if makers.is_empty() {
        return Ok(());
    }
    let bindings = Bindings::read(cx.context(), root);
    let builder = Builder::new(cx.context(), root);
    let mut counts = HashMap::new();
    for maker in &makers {
        *counts.entry(maker.code()).or_insert(0) += 1;
    }
    for maker in makers {
        // Another object of the same code may be called with something else.
        let alone = counts.get(maker.code()) == Some(&1);
        let function = root.lookup_symbol(maker.code()).and_then(py::Func::of);
        if let Some(function) = function.filter(|one| alone && is_generator_expression(*one))
            && let [call] = maker.result().users().as_slice()
            && let Some(call) = py::Call::of(*call)
            && let [iterator] = call.args().as_slice()
            && let Some(iterator) = py::GetIter::defining(*iterator)
            && iterator.result().uses().len() == 1
            && let Some(chain) = Chain::of(&bindings, iterator.iterable())
        {
            chain.sink(&builder, function, iterator)?;
            cx.bump("calls", chain.calls.len() as u64);
        }
    }
    Ok(())
}

/// Calls that make iterators, of one another at last.
#[derive(Default)]
struct Chain<'c, 'a> {
    /// The calls, each behind those of its arguments, with what they call.
    calls: Vec<(py::Call<'c, 'a>, py::Global<'c, 'a>)>,
    /// The arguments that are made elsewhere.
    arguments: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Chain<'c, 'a> {
    /// The calls that lead to an iterator; `None` if it is made in another way.
    fn of(bindings: &Bindings<'c, 'a>, iterator: Value<'c, 'a>) -> Option<Self> {
        let mut chain = Self::default();
        chain.add(bindings, iterator);
        (!chain.calls.is_empty()).then_some(chain)
    }

    fn add(&mut self, bindings: &Bindings<'c, 'a>, value: Value<'c, 'a>) {
        let others = value.users().into_iter();
        let others = others.filter(|user| !user.isa::<typed::Variable>());
        let call = py::Call::defining(value).filter(|_| others.count() == 1);
        let callee = call.and_then(|call| py::Global::defining(call.callee()));
        let (Some(call), Some(callee)) = (call, callee) else {
            return self.arguments.push(value);
        };
        let name = bindings.name_of(callee.result());
        if !name.is_some_and(|name| ITERATORS.contains(&name.as_str())) {
            return self.arguments.push(value);
        }
        for argument in call.args() {
            self.add(bindings, argument);
        }
        self.calls.push((call, callee));
    }

    /// Moves the calls to the start of a generator expression.
    fn sink(
        &self,
        builder: &Builder<'c, 'a>,
        function: py::Func<'c, 'a>,
        iterator: py::GetIter<'c, 'a>,
    ) -> PassResult {
        let object = object_type(builder.context());
        let entry = function.required("body", function.body().entry())?;
        let parameter = entry.argument_values().first().copied();
        let parameter = function.required("parameter", parameter)?;
        let first = function.required("body", entry.first())?;

        builder.before(first).at(iterator.location());
        let types = vec![object; self.arguments.len()];
        let unpacked = py::Unpack::create(builder, parameter, &types);
        let items = unpacked.items();
        let mut mapping: Vec<_> = self.arguments.iter().copied().zip(items).collect();
        for (call, callee) in &self.calls {
            for operation in [callee.operation(), call.operation()] {
                let made = builder.clone_op(operation, &mapping).result_values();
                mapping.extend(operation.result_values().into_iter().zip(made));
            }
        }
        let (_, made) = mapping[mapping.len() - 1];
        let items = py::GetIter::create(builder, made).result();
        parameter.replace_uses_if(items, |one| one.user != *unpacked);

        builder.before(*iterator).at(iterator.location());
        let tuple = py::BuildTuple::create(builder, &self.arguments).result();
        iterator.set_iterable(tuple);
        for (call, callee) in self.calls.iter().rev() {
            // A debugger has nothing to show of an iterator.
            for mark in call.result().distinct_users() {
                builder.erase_op(mark);
            }
            builder.erase_op(**call);
            if callee.is_unused() {
                builder.erase_op(**callee);
            }
        }
        Ok(())
    }
}
