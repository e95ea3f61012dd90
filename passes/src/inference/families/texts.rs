//! Texts: what the runtime computes of them, formatted values, and methods.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::objects,
        issue::{Stop, Typing},
        rules,
        val::Val,
    },
    infra::ops::marks,
    library,
    types::{display::display, lists, number::Number, objects::has_object},
};
use melior::ir::{Type, r#type::TupleType};
use pyopt_dialects::{enums::PyBinaryKind, py::PyAttribute, typed::TypedType};

/// The functions of the runtime: what they take (`t`ext, `i`nt, `l`ist of texts) and give (also `b`ool).
const FUNCTIONS: &[(&str, &str, char)] = &[
    ("capitalize", "t", 't'),
    ("casefold", "t", 't'),
    ("chr", "i", 't'),
    ("count", "ttii", 'i'),
    ("find", "ttii", 'i'),
    ("hash", "t", 'i'),
    ("isalnum", "t", 'b'),
    ("isalpha", "t", 'b'),
    ("isascii", "t", 'b'),
    ("isdecimal", "t", 'b'),
    ("isdigit", "t", 'b'),
    ("isidentifier", "t", 'b'),
    ("islower", "t", 'b'),
    ("isnumeric", "t", 'b'),
    ("isprintable", "t", 'b'),
    ("isspace", "t", 'b'),
    ("istitle", "t", 'b'),
    ("isupper", "t", 'b'),
    ("join", "tl", 't'),
    ("lower", "t", 't'),
    ("matches", "ttiii", 'b'),
    ("ord", "t", 'i'),
    ("pad", "ttii", 't'),
    ("repeat", "ti", 't'),
    ("replace", "ttti", 't'),
    ("rfind", "ttii", 'i'),
    ("slice", "tiii", 't'),
    ("split", "ttii", 'l'),
    ("strip", "ttii", 't'),
    ("swapcase", "t", 't'),
    ("title", "t", 't'),
    ("upper", "t", 't'),
];

/// Whether a type is that of texts.
pub(crate) fn is_text(ty: Type) -> bool {
    TypedType::from(ty) == TypedType::Str
}

/// Whether texts have a method of this name.
pub(crate) fn has_method(ty: Type, name: &str) -> bool {
    is_text(ty) && library::find(&format!("str.{name}")).is_some()
}

/// Calls the runtime's function of a name.
pub(crate) fn call_runtime<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    operands: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    let found = FUNCTIONS.iter().find(|function| function.0 == name);
    let &(_, kinds, result) = found.ok_or(Stop::Unknown)?;
    let mut inputs = Vec::new();
    for (operand, kind) in operands.iter().zip(kinds.chars()) {
        let is_right = match kind {
            't' => is_text(operand.ty),
            'i' => operand.number().is_some_and(|number| number.is_integral()),
            _ => lists::list_item(operand.ty)
                .is_some_and(|item| is_text(item) || lists::is_nothing(item)),
        };
        if !is_right {
            return Err(Stop::issue(format!(
                "{} isn't what the text method '{name}' takes",
                display(operand.ty)
            )));
        }
        inputs.push(match kind {
            'i' => {
                let si64 = e.si64();
                e.cast(*operand, si64)
            }
            _ => *operand,
        });
    }
    let text = e.type_of(TypedType::Str);
    let result = match result {
        't' => text,
        'i' => e.si64(),
        'b' => e.i1(),
        _ => lists::list_of(e.context(), text),
    };
    Ok(objects::call_native(
        e,
        &format!("pyopt_text_{name}"),
        &inputs,
        result,
    ))
}

/// Texts behind each other.
pub(crate) fn concat<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, texts: &[Val<'c, 'a>]) -> Val<'c, 'a> {
    let known: Option<String> = texts.iter().map(Val::literal_str).collect();
    if let Some(known) = known {
        return e.string(&known);
    }
    let inputs = [&[e.int(texts.len() as i64)], texts].concat();
    let text = e.type_of(TypedType::Str);
    objects::call_native(e, "pyopt_text_concat", &inputs, text)
}

/// `lhs op rhs` where one is a text; nothing where the operator isn't theirs.
pub(crate) fn binary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Option<Typing<Val<'c, 'a>>> {
    match kind {
        PyBinaryKind::Add if is_text(lhs.ty) && is_text(rhs.ty) => Some(Ok(concat(e, &[lhs, rhs]))),
        PyBinaryKind::Mul if is_text(lhs.ty) && e.is_int(rhs.ty) => Some(call_method(
            e,
            lhs,
            "__mul__",
            &Arguments::new(&[rhs], None),
        )),
        PyBinaryKind::Mul if is_text(rhs.ty) && e.is_int(lhs.ty) => Some(call_method(
            e,
            rhs,
            "__mul__",
            &Arguments::new(&[lhs], None),
        )),
        PyBinaryKind::Mod if is_text(lhs.ty) => Some(ask_python(e, "fill", &[lhs, rhs])),
        _ => None,
    }
}

/// Calls a method of the library.
pub(crate) fn call_method<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    text: Val<'c, 'a>,
    name: &str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let source = library::find(&format!("str.{name}")).ok_or(Stop::Unknown)?;
    let mut arguments = arguments.clone();
    arguments.positional.insert(0, text);
    rules::call_library(e, source, &arguments)
}

/// Calls a function of `pyopt.texts`, which gives a text.
fn ask_python<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    inputs: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    if let Some(wrong) = inputs.iter().find(|input| !has_object(input.ty)) {
        return Err(Stop::issue(format!(
            "{} has no text in compiled code",
            display(wrong.ty)
        ))
        .hint("make texts of numbers, texts, None, arrays and tuples of them"));
    }
    let name = e.intern(&format!("pyopt.texts.{name}"));
    let code = PyAttribute::Named(name).to_attribute(e.context());
    let text = e.type_of(TypedType::Str);
    let result = TupleType::new(e.context(), &[text]).into();
    let made = objects::call_declared(e, (marks::OBJECT, code), "text", inputs, result);
    Ok(e.tuple_get(made, 0))
}

/// `format(value, spec)` after a conversion: none, `s`, `r` or `a`.
pub(crate) fn format<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    value: Val<'c, 'a>,
    conversion: &str,
    spec: Option<Val<'c, 'a>>,
) -> Typing<Val<'c, 'a>> {
    let is_plain = spec.is_none_or(|spec| spec.literal_str() == Some(""));
    let text = e.type_of(TypedType::Str);
    if is_plain && is_text(value.ty) && matches!(conversion, "" | "s") {
        return Ok(value);
    }
    let kernel = match value.number().filter(|_| is_plain) {
        Some(Number::Int { signed: true, .. }) => Some(("pyopt_text_of_int", Number::INT64)),
        Some(Number::Int { signed: false, .. }) => Some(("pyopt_text_of_uint", Number::UINT64)),
        Some(Number::Float(64)) => Some(("pyopt_text_of_float", Number::FLOAT64)),
        _ => None,
    };
    if let Some((symbol, number)) = kernel {
        let ty = number.to_type(e.context());
        let value = e.cast(value, ty);
        return Ok(objects::call_native(e, symbol, &[value], text));
    }
    let conversion = e.string(conversion);
    let spec = spec.unwrap_or_else(|| e.string(""));
    ask_python(e, "format_value", &[value, conversion, spec])
}
