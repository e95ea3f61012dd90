//! Texts and bytes: what the runtime computes of them, formatted values, and methods.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{number_formats, objects},
        issue::{Stop, Typing},
        rules,
        val::Val,
    },
    infra::ops::{marks, typed},
    types::{
        display::display, exceptions::is_class_at_run_time, lists, number::Number,
        sequences::is_list, tuples::elements,
    },
};
use melior::ir::{Type, r#type::TupleType};
use pyopt_dialects::{
    enums::PyBinaryKind,
    py::PyAttribute,
    typed::{ArrayType, TypedType},
};
use pyopt_library::{self as library, Source};

/// The functions of the runtime: what they take (`t`exts or bytes, `i`nt, `l`ist of texts or bytes, list of
/// `n`umbers) and give: also `b`ool, `s` for a str, `y` for bytes, an array of `u`nsigned ones. All texts of a
/// call are of one type, which is that of the results.
const FUNCTIONS: &[(&str, &str, char)] = &[
    ("as_bytes", "t", 'y'),
    ("as_text", "t", 's'),
    ("bytes_array", "t", 'u'),
    ("bytes_capitalize", "t", 't'),
    ("bytes_isalnum", "t", 'b'),
    ("bytes_isalpha", "t", 'b'),
    ("bytes_isdigit", "t", 'b'),
    ("bytes_islower", "t", 'b'),
    ("bytes_istitle", "t", 'b'),
    ("bytes_isupper", "t", 'b'),
    ("bytes_lower", "t", 't'),
    ("bytes_of", "n", 'y'),
    ("bytes_swapcase", "t", 't'),
    ("bytes_title", "t", 't'),
    ("bytes_upper", "t", 't'),
    ("capitalize", "t", 't'),
    ("casefold", "t", 't'),
    ("chr", "i", 't'),
    ("count", "ttii", 'i'),
    ("find", "ttii", 'i'),
    ("has_room", "i", 'b'),
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
    ("mix", "t", 'i'),
    ("ord", "t", 'i'),
    ("pad", "ttii", 't'),
    ("repeat", "ti", 't'),
    ("replace", "ttti", 't'),
    ("rfind", "ttii", 'i'),
    ("seed_python", "t", 'i'),
    ("slice", "tiii", 't'),
    ("split", "ttii", 'l'),
    ("strip", "ttii", 't'),
    ("swapcase", "t", 't'),
    ("title", "t", 't'),
    ("upper", "t", 't'),
];

/// The functions of `pyopt.texts` that the library calls, and what they give: a `s`tr or b`y`tes.
const HOST_FUNCTIONS: &[(&str, char)] = &[
    ("decode", 's'),
    ("encode", 'y'),
    ("from_hex", 'y'),
    ("hex_of", 's'),
    ("random_key", 'y'),
];

/// The methods of texts and bytes in which None has a meaning: characters, a separator, a start and an end.
const METHODS_WITH_NONE: &[&str] = &[
    "count",
    "endswith",
    "find",
    "index",
    "lstrip",
    "rfind",
    "rindex",
    "rsplit",
    "rstrip",
    "split",
    "startswith",
    "strip",
];

/// Whether a type is that of texts.
pub(crate) fn is_text(ty: Type) -> bool {
    TypedType::from(ty) == TypedType::Str
}

/// Whether a type is that of texts or bytes, which are texts of small characters.
pub(crate) fn has_characters(ty: Type) -> bool {
    class_of(ty).is_some()
}

/// The class of texts or bytes.
pub(super) fn class_of(ty: Type) -> Option<&'static str> {
    match TypedType::from(ty) {
        TypedType::Str => Some("str"),
        TypedType::Bytes => Some("bytes"),
        _ => None,
    }
}

/// The library's function for a method.
fn method(ty: Type, name: &str) -> Option<&'static Source> {
    class_of(ty).and_then(|class| library::find(&format!("{class}.{name}")))
}

/// Whether texts or bytes have a method of this name.
pub(crate) fn has_method(ty: Type, name: &str) -> bool {
    is_text(ty) && matches!(name, "format" | "format_map") || method(ty, name).is_some()
}

/// Whether values of a type are texts or bytes, of which a method takes None.
pub(crate) fn takes_none(ty: Type, name: &str) -> bool {
    has_characters(ty) && METHODS_WITH_NONE.contains(&name)
}

/// Calls the runtime's function of a name.
pub(crate) fn call_runtime<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    operands: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    let found = FUNCTIONS.iter().find(|function| function.0 == name);
    let &(_, kinds, result) = found.ok_or(Stop::Unknown)?;
    let first = operands.iter().find(|operand| has_characters(operand.ty));
    let text = first.map_or_else(|| e.type_of(TypedType::Str), |text| text.ty);
    let si64 = e.si64();
    let mut inputs = Vec::new();
    for (&operand, kind) in operands.iter().zip(kinds.chars()) {
        // A list that nothing is put into is one of texts, too.
        let is_empty =
            is_list(operand.ty) && elements(operand.ty).is_some_and(|items| items.is_empty());
        let operand = match kind {
            't' | 'i' | 'n' => operand,
            _ if is_empty => e.coerce(operand, lists::list_of(e.context(), text))?,
            _ => operand,
        };
        let is_list_of = |wanted: Type| {
            lists::list_item(operand.ty)
                .is_some_and(|item| item == wanted || lists::is_nothing(item))
        };
        let is_right = match kind {
            't' => operand.ty == text,
            'i' => operand.number().is_some_and(|number| number.is_integral()),
            'n' => is_list_of(si64),
            _ => is_list_of(text),
        };
        if !is_right {
            return Err(Stop::issue(format!(
                "{} isn't what the {} method '{name}' takes",
                display(operand.ty),
                match class_of(text) {
                    Some("bytes") => "bytes",
                    _ => "text",
                }
            )));
        }
        inputs.push(match kind {
            'i' => e.cast(operand, si64),
            _ => operand,
        });
    }
    let result = match result {
        't' => text,
        's' => e.type_of(TypedType::Str),
        'y' => e.type_of(TypedType::Bytes),
        'i' => si64,
        'b' => e.i1(),
        'u' => {
            let byte = Number::Int {
                width: 8,
                signed: false,
            };
            let array = ArrayType {
                readonly: true,
                ..ArrayType::contiguous(1, byte.to_type(e.context()))
            };
            array.to_type(e.context())
        }
        _ => lists::list_of(e.context(), text),
    };
    Ok(objects::call_native(
        e,
        &format!("pyopt_text_{name}"),
        &inputs,
        result,
    ))
}

/// Calls a function of `pyopt.texts` for the library.
pub(crate) fn call_host<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    operands: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    let found = HOST_FUNCTIONS.iter().find(|function| function.0 == name);
    let &(_, result) = found.ok_or(Stop::Unknown)?;
    let result = match result {
        'y' => TypedType::Bytes,
        _ => TypedType::Str,
    };
    let result = e.type_of(result);
    make_text(e, name, operands, result)
}

/// Texts behind each other.
pub(crate) fn concat<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, texts: &[Val<'c, 'a>]) -> Val<'c, 'a> {
    let known: Option<String> = texts.iter().map(Val::literal_str).collect();
    if let Some(known) = known {
        return e.string(&known);
    }
    let inputs = [&[e.int(texts.len() as i64)], texts].concat();
    let text = match texts {
        [first, ..] => first.ty,
        [] => e.type_of(TypedType::Str),
    };
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
        PyBinaryKind::Add if has_characters(lhs.ty) && lhs.ty == rhs.ty => {
            Some(Ok(concat(e, &[lhs, rhs])))
        }
        PyBinaryKind::Mul if has_characters(lhs.ty) && e.is_int(rhs.ty) => Some(call_method(
            e,
            lhs,
            "__mul__",
            &Arguments::new(&[rhs], None),
        )),
        PyBinaryKind::Mul if has_characters(rhs.ty) && e.is_int(lhs.ty) => Some(call_method(
            e,
            rhs,
            "__mul__",
            &Arguments::new(&[lhs], None),
        )),
        PyBinaryKind::Mod if has_characters(lhs.ty) => {
            Some(make_text(e, "fill", &[lhs, rhs], lhs.ty))
        }
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
    let source = method(text.ty, name).ok_or(Stop::Unknown)?;
    let mut arguments = arguments.clone();
    arguments.positional.insert(0, text);
    rules::call_library(e, source, &arguments)
}

/// Calls a function of `pyopt.texts`, which gives a value of a type in a tuple.
fn ask_python<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    inputs: &[Val<'c, 'a>],
    result: Type<'c>,
) -> Val<'c, 'a> {
    let name = e.intern(&format!("pyopt.texts.{name}"));
    let code = PyAttribute::Named(name).to_attribute(e.context());
    let result = TupleType::new(e.context(), &[result]).into();
    let made = objects::call_declared(e, (marks::OBJECT, code), "text", inputs, result);
    e.tuple_get(made, 0)
}

/// The name of the class of an exception, as an attribute of that; nothing for anything else.
pub(crate) fn name_of_class<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    class: Val<'c, 'a>,
    attribute: &str,
) -> Option<Val<'c, 'a>> {
    let is_name = matches!(attribute, "__name__" | "__qualname__");
    if !is_name || !is_class_at_run_time(class.ty) {
        return None;
    }
    let exception = e.type_of(TypedType::Exception);
    let items = TupleType::new(e.context(), &[exception]).into();
    let items = e.op(items, |b| typed::AsTuple::create(b, class.ir()));
    let exception = e.tuple_get(items, 0);
    let attribute = e.string(attribute);
    let text = e.type_of(TypedType::Str);
    Some(ask_python(
        e,
        "name_of_class",
        &[exception, attribute],
        text,
    ))
}

/// Makes a text or bytes of values by a function of `pyopt.texts`.
pub(super) fn make_text<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    inputs: &[Val<'c, 'a>],
    result: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    let inputs = inputs.iter().map(|&input| {
        objects::with_text(e, input).ok_or_else(|| {
            let message = format!("{} has no text in compiled code", display(input.ty));
            Stop::issue(message).hint(
                "make texts of numbers, texts, None, arrays, exceptions, containers and tuples of them",
            )
        })
    });
    let inputs = inputs.collect::<Typing<Vec<_>>>()?;
    Ok(ask_python(e, name, &inputs, result))
}

/// `int(text)` and `int(text, base)`; nothing where that isn't what the arguments are.
pub(crate) fn integer<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Option<Val<'c, 'a>> {
    let (text, base) = match *arguments.positional {
        [text] if arguments.keywords.is_empty() => (text, e.int(10)),
        [text, base] if e.is_int(base.ty) => (text, base),
        _ => return None,
    };
    let si64 = e.si64();
    has_characters(text.ty).then(|| ask_python(e, "to_int", &[text, base], si64))
}

/// `float(text)`.
pub(crate) fn float<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, text: Val<'c, 'a>) -> Val<'c, 'a> {
    let ty = Number::FLOAT64.to_type(e.context());
    ask_python(e, "to_float", &[text], ty)
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
    if conversion.is_empty()
        && let Some(text) = spec.and_then(|spec| number_formats::format(e, value, spec))
    {
        return Ok(text);
    }
    let conversion = e.string(conversion);
    let spec = spec.unwrap_or_else(|| e.string(""));
    make_text(e, "format_value", &[value, conversion, spec], text)
}
