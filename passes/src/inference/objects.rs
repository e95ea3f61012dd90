//! Calls of Python code: `objmode` blocks.
//!
//! Each combination of a block and the types it gets is a declared function, which the typed
//! functions call like any other that may raise; what it calls in the host is the matter of
//! `typed-to-abi`.

use super::{
    emit::{Emit, Val, values},
    functions::Arguments,
    issue::{Stop, Typing, stop},
    program::Program,
};
use crate::{
    infra::{
        AttributeExt, Builder, OperationExt, dictionary_entry,
        ops::{func, marks, typed},
    },
    types::{
        display::display,
        objects::{has_object, instance_of},
        tuples,
    },
};
use melior::ir::{
    Attribute, BlockRef, Location, Type,
    attribute::StringAttribute,
    r#type::{FunctionType, TupleType},
};

/// A function that the host runs, as it is called with certain types.
#[derive(Debug)]
pub(crate) struct HostFunction<'c> {
    /// The symbol of the declared function.
    pub symbol: String,
    /// The attribute that says what the host runs.
    pub code: (&'static str, Attribute<'c>),
    /// The types of the arguments.
    pub inputs: Vec<Type<'c>>,
    /// The type of the result.
    pub result: Type<'c>,
    /// The first call.
    pub location: Location<'c>,
}

/// Calls a block.
pub(crate) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    code: Attribute<'c>,
    parts: Attribute<'c>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let inputs = &arguments.positional;
    if let Some(wrong) = inputs.iter().find(|input| !has_object(input.ty)) {
        let message = format!(
            "{} can't be used in an objmode block: no object stands for it",
            display(wrong.ty)
        );
        return Err(Stop::issue(message).hint("use arrays, numbers, strings and tuples of them"));
    }
    let outputs = dictionary_entry(parts, "outputs").and_then(|outputs| outputs.elements());
    let Some(outputs) = outputs else {
        return stop("the types of what an objmode block hands out are missing");
    };
    let outputs: Vec<_> = outputs
        .into_iter()
        .filter_map(AttributeExt::type_value)
        .collect();
    let result: Type = TupleType::new(e.context(), &outputs).into();
    Ok(call_declared(
        e,
        (marks::OBJECT, code),
        "objmode",
        inputs,
        result,
    ))
}

/// Calls a declared function of the host's or the runtime's: `code` is the attribute that says which.
pub(super) fn call_declared<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    code: (&'static str, Attribute<'c>),
    prefix: &str,
    inputs: &[Val<'c, 'a>],
    result: Type<'c>,
) -> Val<'c, 'a> {
    let location = e.location;
    let callee = match e.is_emitting() {
        true => {
            let types = inputs.iter().map(|input| input.ty).collect();
            e.program
                .host_function(code, prefix, types, result, location)
        }
        false => String::new(),
    };
    e.op(result, |b| {
        typed::Call::create(b, &callee, &values(inputs), &[], &[result])
    })
}

/// Refuses to return objects of which only the class is known.
pub(crate) fn check_return(ty: Type) -> Typing<()> {
    if let Some(elements) = tuples::elements(ty) {
        return elements.into_iter().try_for_each(check_return);
    }
    match instance_of(ty) {
        Some(_) => Err(Stop::issue(format!(
            "an object of type {} can't be returned",
            display(ty)
        ))
        .hint("the caller has it already; return what is made of it")),
        None => Ok(()),
    }
}

/// Calls a function of the runtime, which may write to its arguments.
pub(super) fn call_native<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    symbol: &str,
    inputs: &[Val<'c, 'a>],
    result: Type<'c>,
) -> Val<'c, 'a> {
    let code = StringAttribute::new(e.context(), symbol).into();
    call_declared(e, (marks::NATIVE, code), "native", inputs, result)
}

impl<'c> Program<'c, '_> {
    /// The declared function of what the host runs for argument types.
    pub(super) fn host_function(
        &mut self,
        code: (&'static str, Attribute<'c>),
        prefix: &str,
        inputs: Vec<Type<'c>>,
        result: Type<'c>,
        location: Location<'c>,
    ) -> String {
        let same = |other: &&HostFunction| other.code == code && other.inputs == inputs;
        if let Some(known) = self.host_functions.iter().find(same) {
            return known.symbol.clone();
        }
        let symbol = self.unique(format!("{prefix}.{}", self.host_functions.len()));
        self.host_functions.push(HostFunction {
            symbol: symbol.clone(),
            code,
            inputs,
            result,
            location,
        });
        symbol
    }

    /// Declares the functions that the host runs.
    pub fn declare_host_functions<'a>(&self, builder: &Builder<'c, 'a>, module: BlockRef<'c, 'a>) {
        for call in &self.host_functions {
            let ty = FunctionType::new(self.context, &call.inputs, &[call.result]);
            builder.at_end(module).at(call.location);
            let function = func::Func::create(builder, &call.symbol, ty.into());
            function.set_sym_visibility(Some("private"));
            let (key, code) = call.code;
            function.set_attr(key, code);
        }
    }
}
