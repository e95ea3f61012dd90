//! Functions that the host runs: their bodies pass everything to it in slots.

use super::raising::{Function, inputs, results};
use crate::{
    infra::{
        BlockExt, Builder, CmpInt, OperationAttributes, OperationExt, PassContext, PassResult,
        RegionExt,
        ops::{func, marks},
    },
    lowering::{emit::Emit, slots::Slots},
    types::layout::slot_count,
};
use melior::{
    Context,
    ir::{
        Attribute, Identifier, OperationRef, Type, Value,
        attribute::{ArrayAttribute, DictionaryAttribute, TypeAttribute},
        operation::OperationLike,
        r#type::FunctionType,
    },
};

/// Whether the host runs a function: Python code, code that it keeps, or its runtime's.
pub(in crate::lowering) fn is_host_function(function: func::Func) -> bool {
    [marks::OBJECT, marks::LINKED, marks::NATIVE]
        .into_iter()
        .any(|name| function.attr(name).is_some())
}

/// Adds an empty body to the declared functions that the host runs.
pub(in crate::lowering) fn open<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
) -> PassResult {
    for function in module.nested_ops::<func::Func>() {
        if is_host_function(function) && function.body().is_empty() {
            let ty = FunctionType::try_from(function.function_type())?;
            builder.append_block(function.body(), &inputs(ty));
        }
    }
    Ok(())
}

/// Fills the body of a function that the host runs: stores the arguments to slots, calls the host,
/// loads the results from slots. `others` are the functions with Python code before it; their
/// number is its index in the list.
pub(in crate::lowering) fn define<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    this: &Function<'_, 'c, 'a>,
    function: func::Func<'c, 'a>,
    others: &[func::Func<'c, 'a>],
) -> PassResult {
    let e = &this.emit;
    let signature = function.required(marks::SIGNATURE, function.type_attr(marks::SIGNATURE))?;
    let signature = FunctionType::try_from(signature)?;
    let (typed_inputs, typed_results) = (inputs(signature), results(signature));
    let refuse = |ty: &Type<'c>| {
        let message = format!("a value of type {ty} can't be given to the host");
        cx.error(function.location(), message)
    };
    let (Some(entry), Some(error)) = (function.body().entry(), this.error) else {
        return Err(cx.error(
            function.location(),
            "a function of the host has no error record",
        ));
    };

    e.at_end(entry).at(function.location());
    let room = |types: &[Type<'c>]| {
        let slots: usize = types.iter().map(|ty| slot_count(*ty)).sum();
        e.alloca(e.i64(slots.max(1) as i64), e.i(64), 8)
    };
    let (arguments, returned) = (room(&typed_inputs), room(&typed_results));
    let mut slots = Slots::new(e, arguments);
    let values = entry.argument_values();
    let mut rest = &values[..values.len() - 1];
    for ty in &typed_inputs {
        let count =
            crate::lowering::types::convert(e.context(), *ty).map_or(0, |types| types.len());
        let (own, others) = rest.split_at(count);
        slots.write(*ty, own).ok_or_else(|| refuse(ty))?;
        rest = others;
    }
    let (name, operands) = match (
        function.str_attr(marks::NATIVE),
        function.str_attr(marks::LINKED),
    ) {
        (Some(symbol), _) => (symbol, vec![error, returned, arguments]),
        (None, Some(symbol)) => {
            let code = address(e, symbol);
            ("pyopt_call_library", vec![error, code, returned, arguments])
        }
        (None, None) => {
            let objects = others
                .iter()
                .filter(|other| other.attr(marks::OBJECT).is_some());
            let number = e.i64(objects.count() as i64);
            (
                "pyopt_call_object",
                vec![error, number, returned, arguments],
            )
        }
    };
    let status = e.call_value(name, &operands, e.i(32));

    let region = function.body();
    let failed = e.append_block(region, &[]);
    let poison = this.results.iter().map(|ty| e.poison(*ty));
    let left: Vec<_> = [status].into_iter().chain(poison).collect();
    func::Return::create(e, &left);
    let succeeded = e.append_block(region, &[]);
    e.at_end(entry);
    let condition = e.cmpi(CmpInt::Ne, status, e.int(e.i(32), 0));
    e.branch_if(condition, true, (failed, &[]), (succeeded, &[]));
    e.at_end(succeeded);
    let mut slots = Slots::new(e, returned);
    let mut values = vec![e.int(e.i(32), 0)];
    for ty in &typed_results {
        values.extend(slots.read(*ty).ok_or_else(|| refuse(ty))?);
    }
    func::Return::create(e, &values);
    Ok(())
}

/// The address of a symbol of the host's.
fn address<'c, 'a>(e: &Emit<'_, 'c, 'a>, symbol: &str) -> Value<'c, 'a> {
    let r#type = FunctionType::new(e.context(), &[], &[]);
    e.declare(symbol, r#type);
    e.function_address(symbol, r#type)
}

/// Records on the module the Python code that the host runs.
pub(in crate::lowering) fn finish<'c>(
    context: &'c Context,
    module: OperationRef<'c, '_>,
    functions: &[func::Func<'c, '_>],
) -> PassResult {
    let mut entries: Vec<Attribute> = Vec::new();
    for function in functions {
        let signature =
            function.required(marks::SIGNATURE, function.type_attr(marks::SIGNATURE))?;
        function.remove_attr(marks::SIGNATURE);
        function.remove_attr(marks::LINKED);
        function.remove_attr(marks::NATIVE);
        let Some(code) = function.attr(marks::OBJECT) else {
            continue;
        };
        let fields = [
            ("code", code),
            ("signature", TypeAttribute::new(signature).into()),
        ];
        let fields = fields.map(|(name, value)| (Identifier::new(context, name), value));
        entries.push(DictionaryAttribute::new(context, &fields).into());
        function.remove_attr(marks::OBJECT);
    }
    if entries.is_empty() {
        return Ok(());
    }
    module.set_attr(marks::OBJECTS, ArrayAttribute::new(context, &entries));
    Ok(())
}
