//! Calls of Python code: `objmode` blocks.
//!
//! Each combination of a block and the types it gets is a declared function, which the typed
//! functions call like any other that may raise; what it calls in the host is the matter of
//! `typed-to-abi`.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::exceptions,
        issue::{Stop, Typing, stop},
        val::{Val, values},
    },
    infra::{
        AttributeExt, dictionary_entry,
        ops::{marks, typed},
    },
    types::{
        choices,
        display::display,
        exceptions::is_instance,
        objects::{class_of_view, has_object, has_text, instance_of},
        sequences::keyword_names,
        tuples,
    },
};
use melior::ir::{Attribute, Type, attribute::StringAttribute, r#type::TupleType};
use pyopt_dialects::{py::PyAttribute, typed::TypedType};

/// Calls a block.
pub(crate) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    code: Attribute<'c>,
    parts: Attribute<'c>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let inputs = &arguments.positional;
    let context = e.context();
    let is_object = |ty| has_object(ty) || choices::has_object(context, ty);
    if let Some(wrong) = inputs.iter().find(|input| !is_object(input.ty)) {
        let message = format!(
            "{} can't be used in an objmode block: no object stands for it",
            display(wrong.ty)
        );
        return Err(
            Stop::issue(message).hint("use arrays, numbers, strings, functions and tuples of them")
        );
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
pub(crate) fn call_declared<'c, 'a>(
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

/// Calls what raises the exception that the host is handling, or an error if there is none.
pub(crate) fn raise_handled(e: &mut Emit) {
    let code = PyAttribute::Named("pyopt.reraising.raise_handled").to_attribute(e.context());
    let result = TupleType::new(e.context(), &[]).into();
    call_declared(e, (marks::OBJECT, code), "raise", &[], result);
}

/// Refuses to return objects of which only the class is known.
pub(crate) fn check_return(ty: Type) -> Typing<()> {
    if let Some(elements) = tuples::elements(ty) {
        return elements.into_iter().try_for_each(check_return);
    }
    check_kept(ty)?;
    if keyword_names(ty).is_some() {
        let refusal = Stop::issue("the keywords behind '**' can't be returned");
        return Err(refusal.hint("return a tuple or a dict of their values"));
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

/// Refuses a bound method where it would leave the place where it is named: what there is of it is its
/// receiver alone.
pub(crate) fn check_kept(ty: Type) -> Typing<()> {
    match TypedType::from(ty) {
        TypedType::Method(receiver, name) => Err(Stop::issue(format!(
            "the method '{name}' of {} can't be kept, passed or returned",
            display(receiver)
        ))
        .hint("call it where it is named")),
        _ => Ok(()),
    }
}

/// What the host makes a text of for a value; nothing where it can't. It is told of exceptions which one it is.
pub(crate) fn with_text<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    value: Val<'c, 'a>,
) -> Option<Val<'c, 'a>> {
    if is_instance(value.ty) {
        return exceptions::make(e, value);
    }
    if let TypedType::DictView(dict, part) = TypedType::from(value.ty) {
        if !has_text(dict) {
            return None;
        }
        let dict = e.op(dict, |b| typed::ViewedDict::create(b, value.ir(), dict));
        let items = e.tuple(&[dict]);
        let class = class_of_view(e.context(), part);
        return Some(e.of_class(items, class));
    }
    has_text(value.ty).then_some(value)
}

/// Calls a function of the runtime, which may write to its arguments.
pub(crate) fn call_native<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    symbol: &str,
    inputs: &[Val<'c, 'a>],
    result: Type<'c>,
) -> Val<'c, 'a> {
    let code = StringAttribute::new(e.context(), symbol).into();
    call_declared(e, (marks::NATIVE, code), "native", inputs, result)
}
