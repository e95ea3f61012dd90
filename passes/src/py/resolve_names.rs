//! `py-resolve-names`: attributes of the program's own modules and classes become globals, and items of
//! dicts.
//!
//! `settings.LIMIT`, `helpers.norm(x)` and `functions["norm"](x)` are known when a function is compiled, as
//! globals are, and so is what `getattr` and `hasattr` find in them by a constant name. The host binds what a dotted name means to a symbol that ends with it; what isn't bound is
//! left as it is, an attribute of a value or of a host's module. A call `super()` says what it looks up. A
//! global container, which nothing changes, is read once, where its function begins: not in each iteration.

use super::{
    asked_attributes,
    bindings::{Bindings, bound_symbol, dotted_symbol, erase_known},
};
use crate::infra::{
    Builder, OperationExt, PassContext, PassResult, PassSpec, RegionExt, StatisticSpec, ops::py,
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use std::collections::HashMap;

/// Dotted names.
pub static PASS: PassSpec = PassSpec {
    description: "A chain of attributes and constant items of a global or free variable becomes a \
                  `py.global` where its dotted name, such as `settings.LIMIT` or `table[\"a\"]`, is \
                  bound; a call of `getattr` or `hasattr` with a constant name becomes such a chain, \
                  the default or a constant. A `py.call_super` becomes a call with the class and the \
                  instance that `super` finds in the frame, or a call of something else without \
                  arguments. A global that a function makes is read where the function begins.",
    dialects: &["py"],
    statistics: &[StatisticSpec::new("resolved", "names that became globals")],
    ..PassSpec::new(
        "py-resolve-names",
        "resolve attributes of modules and classes",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let bindings = Bindings::read(cx.context(), root);
    let builder = Builder::new(cx.context(), root);
    for call in root.nested_ops::<py::CallSuper>() {
        spell_out(&bindings, &builder, call);
    }
    for call in root.nested_ops::<py::Call>() {
        asked_attributes::settle(&bindings, &builder, call);
    }
    for attribute in root.nested_ops::<py::GetAttr>() {
        resolve(cx, &bindings, &builder, *attribute, &[attribute.object()]);
    }
    for item in root.nested_ops::<py::GetItem>() {
        resolve(
            cx,
            &bindings,
            &builder,
            *item,
            &[item.object(), item.index()],
        );
    }
    if bindings.have_made() {
        for function in root.nested_ops::<py::Func>() {
            hoist_containers(&bindings, &builder, function);
        }
    }
    Ok(())
}

/// Reads the global containers of a function once, at its beginning.
fn hoist_containers<'c: 'a, 'a>(
    bindings: &Bindings<'c, 'a>,
    builder: &Builder<'c, 'a>,
    function: py::Func<'c, 'a>,
) {
    let Some(entry) = function.body().entry() else {
        return;
    };
    let mut values = HashMap::new();
    for operation in function.pre_order() {
        let symbol = py::Op::of(operation).and_then(bound_symbol);
        let Some(symbol) = symbol.filter(|symbol| bindings.is_made(symbol)) else {
            continue;
        };
        let value = *values.entry(symbol).or_insert_with(|| {
            let builder = builder.at_start(entry).at(operation.location());
            py::Global::create(builder, symbol).result()
        });
        builder.replace_op(operation, &[value]);
    }
}

/// Makes a global of an attribute or item whose dotted name is bound.
fn resolve<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    bindings: &Bindings<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operation: OperationRef<'c, 'a>,
    operands: &[Value<'c, 'a>],
) {
    let symbol = dotted_symbol(operation);
    let Some(symbol) = symbol.filter(|symbol| bindings.binding(symbol).is_some()) else {
        return;
    };
    builder.before(operation);
    let global = py::Global::create(builder, &symbol).result();
    builder.replace_op(operation, &[global]);
    erase_known(operands.iter().copied());
    cx.bump("resolved", 1);
}

/// Makes a plain call of one that may be of `super`: with the class whose body the method is in and the
/// instance, where it is.
fn spell_out<'c: 'a, 'a>(
    bindings: &Bindings<'c, 'a>,
    builder: &Builder<'c, 'a>,
    call: py::CallSuper<'c, 'a>,
) {
    let builder = builder.before(*call).at(call.location());
    let is_super = bindings.name_of(call.callee()).as_deref() == Some("builtins.super");
    let arguments = if is_super {
        let class = py::LoadCell::create(builder, call.class_cell(), "__class__");
        class.set_free(true);
        let instance = match py::MakeCell::defining(call.first()) {
            Some(cell) => py::LoadCell::create(builder, cell.result(), "self").result(),
            None => call.first(),
        };
        vec![class.result(), instance]
    } else {
        Vec::new()
    };
    let made = py::Call::create(builder, call.callee(), &arguments).result();
    builder.replace_op(*call, &[made]);
}
