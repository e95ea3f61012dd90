//! `py-sink-iterables`: a generator expression makes the `enumerate`, `zip` or `reversed` that it goes
//! through itself.
//!
//! These are iterators, which have positions as long as they stay in one function: `sum(i * x for i, x
//! in enumerate(a))` passes `a` instead, and the loop of the expression counts.

use super::{bindings::Bindings, convert_closures::is_generator_expression};
use crate::infra::{
    BlockExt, Builder, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec,
    RegionExt, StatisticSpec, ValueExt,
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
    let makers = root.nested("py.make_function");
    if makers.is_empty() {
        return Ok(());
    }
    let bindings = Bindings::read(cx.context(), root);
    let builder = Builder::new(cx.context(), root);
    let mut counts = HashMap::new();
    for maker in &makers {
        *counts.entry(maker.symbol_attr("code")).or_insert(0) += 1;
    }
    for maker in makers {
        let code = maker.symbol_attr("code");
        // Another object of the same code may be called with something else.
        let alone = counts.get(&code) == Some(&1);
        let function = code.and_then(|code| root.lookup_symbol(code));
        if let Some(function) = function.filter(|one| alone && is_generator_expression(*one))
            && let [call] = maker.result_value(0).users().as_slice()
            && call.is("py.call")
            && let [_, iterator] = call.operand_values().as_slice()
            && let Some(iterator) = iterator.defined_by("py.get_iter")
            && iterator.result_value(0).uses().len() == 1
            && let Some(chain) = Chain::of(&bindings, iterator.operand_value(0))
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
    calls: Vec<(OperationRef<'c, 'a>, OperationRef<'c, 'a>)>,
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
        let call = value.defined_by("py.call");
        let others = value.users().into_iter();
        let others = others.filter(|user| !user.is("typed.variable"));
        let call = call.filter(|_| others.count() == 1);
        let callee = call.and_then(|call| call.operand_value(0).defined_by("py.global"));
        let (Some(call), Some(callee)) = (call, callee) else {
            return self.arguments.push(value);
        };
        let name = bindings.name_of(callee.result_value(0));
        if !name.is_some_and(|name| ITERATORS.contains(&name.as_str())) {
            return self.arguments.push(value);
        }
        for argument in call.operand_values().split_off(1) {
            self.add(bindings, argument);
        }
        self.calls.push((call, callee));
    }

    /// Moves the calls to the start of a generator expression.
    fn sink(
        &self,
        builder: &Builder<'c, 'a>,
        function: OperationRef<'c, 'a>,
        iterator: OperationRef<'c, 'a>,
    ) -> PassResult {
        let object = object_type(builder.context());
        let entry = function.required("body", function.region_at(0).entry())?;
        let parameter = entry.argument_values().first().copied();
        let parameter = function.required("parameter", parameter)?;
        let first = function.required("body", entry.first())?;

        builder.before(first).at(iterator.location());
        let types = vec![object; self.arguments.len()];
        let unpacked = builder.op("py.unpack", &[parameter], &types, &[]);
        let items = unpacked.result_values();
        let mut mapping: Vec<_> = self.arguments.iter().copied().zip(items).collect();
        for (call, callee) in &self.calls {
            let global = builder.clone_op(*callee, &[]).result_value(0);
            mapping.push((callee.result_value(0), global));
            let made = builder.clone_op(*call, &mapping).result_value(0);
            mapping.push((call.result_value(0), made));
        }
        let (_, made) = mapping[mapping.len() - 1];
        let items = builder.value("py.get_iter", &[made], object, &[]);
        parameter.replace_uses_if(items, |one| one.user != unpacked);

        builder.before(iterator).at(iterator.location());
        let tuple = builder.value("py.build_tuple", &self.arguments, object, &[]);
        iterator.set_operand_value(0, tuple);
        for (call, callee) in self.calls.iter().rev() {
            // A debugger has nothing to show of an iterator.
            for mark in call.result_value(0).distinct_users() {
                builder.erase_op(mark);
            }
            builder.erase_op(*call);
            if callee.is_unused() {
                builder.erase_op(*callee);
            }
        }
        Ok(())
    }
}
