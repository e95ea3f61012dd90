//! `print`: the host runs Python's own.

use super::table::Table;
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::objects,
        issue::{Stop, Typing},
        val::Val,
    },
    infra::ops::marks,
    types::display::display,
};
use melior::ir::r#type::TupleType;
use pyopt_dialects::{py::PyAttribute, typed::TypedType};

/// The functions.
pub(super) const FUNCTIONS: Table = &[("builtins.print", print)];

/// What the host calls: a function of a separator, an end, whether to flush, and values.
const HOST: &str = "pyopt.printing.print_values";

fn print<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let mut inputs = [e.string(" "), e.string("\n"), e.bool(false)].to_vec();
    for &(keyword, value) in &arguments.keywords {
        let place = ["sep", "end", "flush"]
            .iter()
            .position(|name| *name == keyword);
        let is_taken = match keyword {
            "flush" => value.number().is_some(),
            _ => TypedType::from(value.ty) == TypedType::Str,
        };
        let Some(place) = place.filter(|_| is_taken || value.is_none()) else {
            return Err(
                Stop::issue(format!("print() can't take '{keyword}' in compiled code")).hint(
                    "texts for 'sep' and 'end' and a truth value for 'flush' can be given; \
                     print in an objmode block for others",
                ),
            );
        };
        if !value.is_none() {
            inputs[place] = value;
        }
    }
    for &value in &arguments.positional {
        inputs.push(objects::with_text(e, value).ok_or_else(|| {
            let message = format!("{} can't be printed in compiled code", display(value.ty));
            Stop::issue(message)
                .hint("print numbers, texts, arrays, exceptions, containers and tuples of them")
        })?);
    }
    let code = PyAttribute::Named(HOST).to_attribute(e.context());
    let result = TupleType::new(e.context(), &[]).into();
    objects::call_declared(e, (marks::OBJECT, code), "print", &inputs, result);
    Ok(e.none())
}
