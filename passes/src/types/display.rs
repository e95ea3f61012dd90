//! Types in Numba's notation, for diagnostics.

use crate::{
    infra::AttributeExt,
    types::{
        addresses, exceptions, functions, lists, names::last_part, number::Number, objects,
        records, sequences, tuples,
    },
};
use melior::ir::{Attribute, Type};
use pyopt_dialects::{
    py::PyAttribute,
    records::Record,
    times::{Time, Unit},
    typed::{Layout, TypedType},
};

/// Longer texts are cut.
const MAX_LENGTH: usize = 120;

/// Writes a type as Numba does: `int64`, `array(float64, 1d, C)`, `UniTuple(int64 x 2)`.
pub(crate) fn display(r#type: Type) -> String {
    let text = describe(r#type);
    match text.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn describe(r#type: Type) -> String {
    match TypedType::from(r#type) {
        TypedType::None => "none".into(),
        TypedType::Array(array) => {
            let layout = match array.layout {
                Layout::C => "C",
                Layout::F => "F",
                Layout::A => "A",
                Layout::Bytes => "A, unaligned",
            };
            let kind = if array.readonly {
                "readonly array"
            } else {
                "array"
            };
            format!(
                "{kind}({}, {}d, {layout})",
                display(array.element),
                array.rank
            )
        }
        TypedType::Range(element) => format!("range_{}", display(element)),
        TypedType::Iter(iterable) => format!("iter({})", display(iterable)),
        TypedType::Zip(iterables) => format!("zip({})", display(iterables)),
        TypedType::Enumerate(iterable) => format!("enumerate({})", display(iterable)),
        TypedType::Reversed(iterable) => format!("reversed({})", display(iterable)),
        TypedType::Flat(array) => format!("flat({})", display(array)),
        TypedType::Indices(position) => format!("ndindex({})", display(position)),
        TypedType::Str => "unicode_type".into(),
        TypedType::Bytes => "bytes".into(),
        TypedType::Exception => "exception".into(),
        TypedType::Generator(_, item) => format!("generator({})", display(item)),
        TypedType::Slice([.., step]) => match TypedType::from(step) {
            TypedType::None => "slice<a:b>".into(),
            _ => "slice<a:b:c>".into(),
        },
        TypedType::Sequence(items, class) => {
            let items = tuples::elements(items).unwrap_or_default();
            match PyAttribute::from(class) {
                PyAttribute::Other(class) if let Some(members) = class.elements() => {
                    let members: Vec<_> = members.into_iter().map(function_name).collect();
                    format!("Function({})", members.join(" or "))
                }
                PyAttribute::Other(_) if let Some(signature) = functions::signature(r#type) => {
                    let inputs =
                        (0..signature.input_count()).filter_map(|at| signature.input(at).ok());
                    let result = signature.result(0).map_or_else(|_| "none".into(), display);
                    format!("FunctionType[{result}({})]", display_list(inputs))
                }
                PyAttribute::Function(symbol) => {
                    format!("Function({symbol}, with {})", display_list(items))
                }
                PyAttribute::NamedTuple(name, ..) if sequences::is_own(r#type) => name.into(),
                PyAttribute::NamedTuple(name, ..) => {
                    format!("{name}({})", display_list(items))
                }
                PyAttribute::Keywords(_) => "keywords".into(),
                _ => format!("list({})", display_list(items)),
            }
        }
        TypedType::List(item) if lists::is_nothing(item) => "list(undefined)".into(),
        TypedType::List(item) => format!("list({})", display(item)),
        TypedType::Dict([key, _]) if lists::is_nothing(key) => "dict(undefined)".into(),
        TypedType::Dict(parts) => format!("dict({})", display_list(parts)),
        TypedType::Set(item) if lists::is_nothing(item) => "set(undefined)".into(),
        TypedType::Set(item) => format!("set({})", display(item)),
        TypedType::DictView(dict, part) => format!("{part} of {}", display(dict)),
        TypedType::Unbound(inner) => format!("{} (maybe unbound)", display(inner)),
        TypedType::Optional(inner) => format!("OptionalType({})", display(inner)),
        TypedType::Literal(_) if let Some(names) = objects::instance_of(r#type) => {
            let name = names.first().copied().unwrap_or("object");
            name.strip_prefix("builtins.").unwrap_or(name).into()
        }
        TypedType::Literal(value) => match PyAttribute::from(value) {
            PyAttribute::ExceptionClass(names) => {
                format!("Function({})", exceptions::class_name(names))
            }
            PyAttribute::Stencil(kernel, _) => {
                format!("Stencil({})", last_part(kernel))
            }
            _ => format!("Literal({value})"),
        },
        TypedType::DType(element) => format!("dtype({})", display(element)),
        TypedType::Named(name) => match name.strip_prefix("builtins.") {
            Some(builtin) => format!("Function({builtin})"),
            None => format!("Module or function({name})"),
        },
        TypedType::Function(symbol) => format!("Function({symbol})"),
        TypedType::Pointer(_) if addresses::is_void_pointer(r#type) => "void*".into(),
        TypedType::Pointer(pointee) => format!("{}*", display(pointee)),
        TypedType::CFunction(_) => {
            let (inputs, result) = addresses::signature(r#type).unwrap_or_default();
            let result = result.map_or_else(|| "void".into(), display);
            format!("C function {result}({})", display_list(inputs))
        }
        TypedType::Method(receiver, name) => format!("Method({name} of {})", display(receiver)),
        TypedType::Other(other) => match tuples::elements(other) {
            Some(elements) => display_tuple(&elements),
            None => display_number(other),
        },
    }
}

/// The name of a function.
fn function_name(function: Attribute) -> String {
    match PyAttribute::from(function) {
        PyAttribute::Function(name) | PyAttribute::Named(name) => name.into(),
        _ => (function.type_value()).map_or_else(|| function.to_string(), display),
    }
}

/// Writes several types, separated by commas.
pub(crate) fn display_list<'c>(types: impl IntoIterator<Item = Type<'c>>) -> String {
    let texts: Vec<_> = types.into_iter().map(display).collect();
    texts.join(", ")
}

fn display_tuple(elements: &[Type]) -> String {
    match elements {
        [] => "Tuple()".into(),
        [first, rest @ ..] if rest.iter().all(|element| element == first) => {
            format!("UniTuple({} x {})", display(*first), elements.len())
        }
        _ => format!("Tuple({})", display_list(elements.iter().copied())),
    }
}

fn display_number(r#type: Type) -> String {
    match Number::of(r#type) {
        Some(Number::Bool) => "bool".into(),
        Some(Number::Int {
            width,
            signed: true,
        }) => format!("int{width}"),
        Some(Number::Int {
            width,
            signed: false,
        }) => format!("uint{width}"),
        Some(Number::Float(width)) => format!("float{width}"),
        Some(Number::Complex(width)) => format!("complex{}", 2 * width),
        None if let Some(record) = Record::of(r#type) => {
            let fields = records::described(record);
            let fields: Vec<_> = fields
                .map(|(name, ty)| format!("{name}: {}", display(ty)))
                .collect();
            format!("Record({})", fields.join(", "))
        }
        None => match Time::of(r#type) {
            Some(time) => display_time(time),
            None => r#type.to_string(),
        },
    }
}

fn display_time(time: Time) -> String {
    let name = match time.is_delta {
        true => "timedelta64",
        false => "datetime64",
    };
    match time.unit {
        Unit::Generic => name.into(),
        unit => format!("{name}[{}]", unit.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use melior::{Context, dialect::DialectRegistry};

    #[test]
    fn notation_is_numbas() {
        let registry = DialectRegistry::new();
        pyopt_dialects::register(&registry);
        let context = Context::new();
        context.append_dialect_registry(&registry);
        context.load_all_available_dialects();
        for (text, expected) in [
            ("si64", "int64"),
            ("i1", "bool"),
            ("complex<f64>", "complex128"),
            ("tuple<si64, si64>", "UniTuple(int64 x 2)"),
            ("tuple<si64, f64>", "Tuple(int64, float64)"),
            ("!typed.array<2, f64, C>", "array(float64, 2d, C)"),
            (
                "!typed.array<1, ui8, A, readonly>",
                "readonly array(uint8, 1d, A)",
            ),
            ("!typed.str", "unicode_type"),
            ("!typed.bytes", "bytes"),
            ("!typed.datetime64<D>", "datetime64[D]"),
            ("!typed.timedelta64<generic>", "timedelta64"),
            ("!typed.none", "none"),
            ("!typed.optional<si64>", "OptionalType(int64)"),
            ("!typed.pointer<f32>", "float32*"),
            (
                "!typed.c_function<(!typed.pointer<!typed.none>, si32) -> ()>",
                "C function void(void*, int32)",
            ),
        ] {
            let r#type = Type::parse(&context, text).expect("a well-formed type");
            assert_eq!(display(r#type), expected);
        }
    }
}
