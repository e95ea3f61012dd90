//! Attributes and items.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{
            addresses,
            arrays::{self, records},
            bits, dtypes, exceptions, lists, overloads, packed_keywords, sequences,
            slices::slice_part,
            strings, tables, texts, times, tuples, wrappers,
        },
        functions,
        issue::{Stop, Typing, stop},
        rules,
        val::Val,
    },
    infra::ops::typed,
    py::mentions::IMPORTED,
    types::{
        display::display,
        exceptions::is_instance,
        iteration::generator_item,
        lists::{is_any_list, list_item},
        names::last_part,
        number::Number,
        objects::instance_of,
        scalar_names::scalar_type,
        sequences::{is_list, keyword_names},
        tables::Table,
        tuples::elements,
    },
};
use melior::{Context, ir::Type};
use pyopt_dialects::{
    enums::UnaryKind,
    typed::{TypedType, array_type},
};
use pyopt_library as library;

/// `object.name`: what the compiler has, or else a method of overloads that are for the object's type.
pub(crate) fn attribute<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    object: Val<'c, 'a>,
    name: &str,
) -> Typing<Val<'c, 'a>> {
    let mut issue = match known_attribute(e, object, name) {
        Err(Stop::Issue(issue)) => issue,
        known => return known,
    };
    let builder = e.builder.take();
    let has_method = overloads::has_method(e, object, name);
    e.builder = builder;
    if matches!(has_method, Err(Stop::Unknown)) {
        overloads::await_contents(e, object);
    }
    match has_method? {
        Ok(()) => Ok(e.method(object, name)),
        Err(declined) => {
            issue.message += &overloads::asked_first(&declined);
            Err(Stop::Issue(issue))
        }
    }
}

/// Whether a qualified name is that of what `builtins` has, of a number of NumPy's as `type` names it, or its array.
fn is_class_of_python(context: &Context, name: &str) -> bool {
    let in_builtins = name.strip_prefix("builtins.");
    let number = scalar_type(name).map(|number| display(number.to_type(context)));
    in_builtins.is_some_and(|name| !name.contains('.'))
        || name == "numpy.ndarray"
        || number.is_some_and(|number| name.strip_prefix("numpy.") == Some(&number))
}

/// `object.name`, without overloads.
pub(super) fn known_attribute<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    object: Val<'c, 'a>,
    name: &str,
) -> Typing<Val<'c, 'a>> {
    if name == "__class__" {
        return functions::call(e, "builtins.type", &Arguments::new(&[object], None));
    }
    if let Some(found) = texts::name_of_class(e, object, name) {
        return Ok(found);
    }
    let object = wrappers::held(e, object);
    if let Some(found) = functions::ufunc_attribute(e, object, name)? {
        return Ok(found);
    }
    if let TypedType::Named(owner) = TypedType::from(object.ty) {
        let qualified = format!("{owner}.{name}");
        // A module's own constants and functions come as bindings.
        let imported = || e.program.binding(&format!("{IMPORTED}{qualified}"));
        return match e.program.binding(&qualified).or_else(imported) {
            Some(value) => rules::constant(e, value),
            None if matches!(name, "__name__" | "__qualname__")
                && is_class_of_python(e.context(), owner) =>
            {
                Ok(e.string(last_part(owner)))
            }
            None => functions::named(e, &qualified),
        };
    }
    if (name == "__hash__" && is_hashable(object.ty)) || is_method_of_items(object.ty, name) {
        return Ok(e.method(object, name));
    }
    let found = if let TypedType::DType(element) = TypedType::from(object.ty) {
        functions::dtype_attribute(e, object, element, name)
    } else if let Some(array) = array_type(object.ty) {
        array_attribute(e, object, array.rank, name)?
    } else if let TypedType::Range(element) = TypedType::from(object.ty) {
        match name {
            "count" | "index" => Some(e.method(object, name)),
            _ => ["start", "stop", "step"]
                .iter()
                .position(|part| *part == name)
                .map(|part| {
                    e.op(element, |b| {
                        typed::RangeGet::create(b, object.ir(), part as i64)
                    })
                }),
        }
    } else if let TypedType::Slice(_) = TypedType::from(object.ty) {
        match name {
            "indices" => Some(e.method(object, name)),
            _ => ["start", "stop", "step"]
                .iter()
                .position(|part| *part == name)
                .map(|part| slice_part(e, object, part)),
        }
    } else if (is_any_list(object.ty) && lists::has_method(name))
        || tables::has_method(object.ty, name)
        || texts::has_method(object.ty, name)
        || packed_keywords::has_method(object, name)
    {
        Some(e.method(object, name))
    } else if let Some(field) = sequences::field(e, object, name) {
        Some(field)
    } else if tuples::has_method(object.ty, name) {
        Some(e.method(object, name))
    } else if object.number().is_some() {
        number_attribute(e, object, name)
    } else if let Some(limit) = functions::limit(e, object, name) {
        Some(limit?)
    } else if let TypedType::Pointer(_) = TypedType::from(object.ty) {
        (name == "data").then(|| addresses::data(e, object))
    } else if let Some(array) = arrays::of_flags(e, object) {
        Some(arrays::flag(e, array, name)?)
    } else if times::of(object).is_some() {
        match name {
            "dtype" => Some(e.singleton(TypedType::DType(object.ty))),
            "astype" => Some(e.method(object, name)),
            _ => None,
        }
    } else {
        None
    };
    match found {
        Some(value) => Ok(value),
        None if is_instance(object.ty) => Err(exceptions::not_kept(&format!(
            "the attribute '{name}' of an exception"
        ))),
        None if generator_item(object.ty).is_some() && METHODS_OF_GENERATORS.contains(&name) => {
            Err(Stop::issue(format!(
                "'{name}' of a generator: compiled code goes on with one by next() and loops alone"
            ))
            .hint("pass what is to be sent when it is made, and leave it where it is to end"))
        }
        None => Err(Stop::issue(format!(
            "unknown attribute '{name}' of type {}",
            display(object.ty)
        ))),
    }
}

/// `array.name`. What all arrays have goes before fields of that name, as in NumPy; one record has its fields
/// alone, as in Numba.
fn array_attribute<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    rank: usize,
    name: &str,
) -> Typing<Option<Val<'c, 'a>>> {
    let is_field = records::has_field(array, name);
    if rank > 0 || !is_field {
        let found = arrays::attribute(e, array, name);
        if !(is_field && matches!(found, Ok(None) | Err(Stop::Issue(_)))) {
            return found;
        }
    }
    records::field(e, array, name).map(Some)
}

/// What generators have that compiled code doesn't do.
const METHODS_OF_GENERATORS: &[&str] = &["close", "send", "throw"];

/// Whether a name is that of a method that an operator or `len` calls, of a type whose values hold items.
pub(super) fn is_method_of_items(ty: Type, name: &str) -> bool {
    let has_items = is_any_list(ty)
        || Table::of(ty).is_some()
        || texts::is_text(ty)
        || array_type(ty).is_some()
        || elements(ty).is_some()
        || matches!(TypedType::from(ty), TypedType::Range(_));
    has_items && matches!(name, "__getitem__" | "__contains__" | "__len__")
}

/// Whether compiled code computes hashes of values of a type.
fn is_hashable(ty: Type) -> bool {
    match elements(ty) {
        Some(elements) => !is_list(ty) && elements.into_iter().all(is_hashable),
        None => Number::of(ty).is_some() || texts::has_characters(ty),
    }
}

fn number_attribute<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    number: Val<'c, 'a>,
    name: &str,
) -> Option<Val<'c, 'a>> {
    let is_complex = matches!(number.number(), Some(Number::Complex(_)));
    match name {
        "real" if is_complex => Some(e.unary(UnaryKind::Real, number)),
        "imag" if is_complex => Some(e.unary(UnaryKind::Imag, number)),
        "real" => Some(number),
        "imag" => Some(e.number(0, number.ty)),
        "conjugate" | "item" => Some(e.method(number, name)),
        "view" if bits::has_view(number.ty) => Some(e.method(number, name)),
        "dtype" => Some(e.singleton(TypedType::DType(number.ty))),
        _ if bits::method(number.ty, name).is_some() => Some(e.method(number, name)),
        _ => None,
    }
}

/// Whether the type of an item is known without the value of the index, or that is known.
fn has_known_item(tuple: Type, index: Val) -> bool {
    let types = elements(tuple).unwrap_or_default();
    let is_uniform = types.windows(2).all(|pair| pair[0] == pair[1]);
    index.literal.is_some() || index.number().is_some() && is_uniform
}

/// The int that an index is; keys of dicts may be members of enumerations themselves.
fn held_index<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    object: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Val<'c, 'a> {
    match TypedType::from(object.ty) {
        TypedType::Dict(_) => index,
        _ => wrappers::held(e, index),
    }
}

/// `object[index]`.
pub(crate) fn item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    object: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if keyword_names(object.ty).is_some() {
        return packed_keywords::item(e, object, index);
    }
    let object = wrappers::held(e, object);
    let index = held_index(e, object, index);
    if list_item(object.ty).is_some() || is_list(object.ty) && !has_known_item(object.ty, index) {
        return lists::item(e, object, index);
    }
    if elements(object.ty).is_some() {
        return tuples::item(e, object, index);
    }
    if records::of(object).is_some()
        && let Some(name) = records::name_of(object, index)
    {
        return records::field(e, object, name);
    }
    match TypedType::from(object.ty) {
        TypedType::Array(_) => arrays::get_item(e, object, index),
        TypedType::Flat(array) => arrays::flat_item(e, object, array, index),
        TypedType::Pointer(_) => addresses::item(e, object, index),
        TypedType::DType(element) => dtypes::array_of(e, element, index),
        TypedType::Dict(_) | TypedType::Set(_) => tables::item(e, object, index),
        TypedType::Str | TypedType::Bytes
            if matches!(TypedType::from(index.ty), TypedType::Slice(_)) =>
        {
            texts::call_method(e, object, "__getitem__", &Arguments::new(&[index], None))
        }
        TypedType::Bytes => {
            let int = e.si64();
            strings::item(e, object, index, int, "index out of range")
        }
        TypedType::Str => strings::item(e, object, index, object.ty, "string index out of range"),
        TypedType::Range(_)
            if matches!(TypedType::from(index.ty), TypedType::Slice(_))
                && let Some(source) = library::find("range.__getitem__") =>
        {
            rules::call_library(e, source, &Arguments::new(&[object, index], None))
        }
        TypedType::Range(element) => {
            strings::item(e, object, index, element, "range object index out of range")
        }
        _ => {
            let issue = Stop::issue(format!(
                "no implementation of getitem for ({}, {})",
                display(object.ty),
                display(index.ty)
            ));
            Err(match instance_of(object.ty) {
                Some(_) => issue.hint(
                    "only its class is known here: pass the items it is to give as arguments, \
                     or as a tuple or list",
                ),
                None => issue,
            })
        }
    }
}

/// `object[index] = value`.
pub(crate) fn set_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    object: Val<'c, 'a>,
    index: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<()> {
    let index = held_index(e, object, index);
    if records::of(object).is_some()
        && let Some(name) = records::name_of(object, index)
    {
        return records::set_field(e, object, name, value);
    }
    match TypedType::from(object.ty) {
        TypedType::Array(_) => {
            let value = wrappers::held(e, value);
            arrays::set_item(e, object, index, value)
        }
        TypedType::Flat(array) => {
            let value = wrappers::held(e, value);
            arrays::set_flat_item(e, object, array, [index, value])
        }
        TypedType::Pointer(_) => addresses::set_item(e, object, index, value),
        TypedType::Dict(_) => tables::set_item(e, object, index, value),
        _ if is_any_list(object.ty) => lists::set_item(e, object, index, value),
        _ if elements(object.ty).is_some() => stop("a tuple does not support item assignment"),
        _ => stop(format!(
            "no implementation of setitem for ({}, {}, {})",
            display(object.ty),
            display(index.ty),
            display(value.ty)
        )),
    }
}
