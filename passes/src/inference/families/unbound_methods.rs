//! Methods that are called by their class: `set.union(a, b)`, `list.copy(x)`, `str.upper(text)`.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::texts,
        issue::{Typing, stop},
        rules,
        val::Val,
    },
    types::{display::display, lists::is_any_list, tables::Table},
};
use melior::ir::Type;
use pyopt_library as library;

/// The class and the method of a qualified name such as `builtins.set.union`.
fn parts(name: &str) -> Option<(&str, &str)> {
    let (class, method) = name.strip_prefix("builtins.")?.split_once('.')?;
    let is_known = match class {
        "bytes" | "str" => library::find(&format!("{class}.{method}")).is_some(),
        _ => matches!(class, "dict" | "list" | "set"),
    };
    is_known.then_some((class, method))
}

/// Whether a qualified name is that of a method of texts, bytes or containers.
pub(crate) fn is_known(name: &str) -> bool {
    parts(name).is_some()
}

fn is_of(class: &str, ty: Type) -> bool {
    match class {
        "list" => is_any_list(ty),
        "bytes" | "str" => texts::class_of(ty) == Some(class),
        _ => Table::of(ty).is_some_and(|table| table.class() == class),
    }
}

/// Calls a method by its qualified name, with its object first; nothing for any other name.
pub(crate) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    arguments: &Arguments<'c, 'a>,
) -> Option<Typing<Val<'c, 'a>>> {
    let (class, method) = parts(name)?;
    let Some((object, rest)) = arguments.positional.split_first() else {
        return Some(stop(format!(
            "unbound method {class}.{method}() needs an argument"
        )));
    };
    if !is_of(class, object.ty) {
        return Some(stop(format!(
            "descriptor '{method}' for '{class}' objects doesn't apply to a '{}' object",
            display(object.ty)
        )));
    }
    let mut arguments = arguments.clone();
    arguments.positional = rest.to_vec();
    let bound = e.method(*object, method);
    Some(rules::call(e, bound, arguments))
}
