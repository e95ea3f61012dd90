//! What asks for types and attributes: `isinstance`, `type`, `getattr`, `hasattr`, and `str` of what
//! has a text that is known.

use super::table::Table;
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{dtypes, exceptions, optional, overloads, texts},
        issue::{Stop, Typing, stop},
        rules,
        val::Val,
    },
    infra::AttributeExt,
    types::{
        display::display,
        exceptions::is_instance,
        iteration, lists,
        names::last_part,
        number::Number,
        objects::instance_of,
        optional::is_optional,
        scalar_names::{scalar_type, time_constructor},
        sequences, tuples,
    },
};
use melior::ir::Type;
use pyopt_dialects::{
    py::PyAttribute,
    times::Time,
    typed::{TypedType, array_type},
};

/// The functions.
pub(super) const FUNCTIONS: Table = &[
    ("builtins.isinstance", isinstance),
    ("builtins.type", type_of),
    ("builtins.getattr", getattr),
    ("builtins.hasattr", hasattr),
    ("pyopt.literal_unroll", not_unrolled),
    ("numpy.dtype", dtypes::dtype),
    ("pyopt.types.composite.Tuple", dtypes::tuple_of),
    ("pyopt.types.composite.UniTuple", dtypes::uniform_tuple),
    ("builtins.str", |e, arguments| text(e, arguments, "object")),
    ("builtins.repr", |e, arguments| text(e, arguments, "obj")),
];

/// The names of the attributes that NumPy's arrays have beside those that compiled code knows.
const ARRAY_NAMES: &[&str] = &[
    "argpartition",
    "base",
    "byteswap",
    "choose",
    "compress",
    "ctypes",
    "data",
    "device",
    "dump",
    "dumps",
    "getfield",
    "partition",
    "resize",
    "setfield",
    "setflags",
    "swapaxes",
    "take",
    "to_device",
    "tobytes",
    "tofile",
    "trace",
];

fn names_of(class: &str) -> &'static [&'static str] {
    let found = pyopt_library::installed()
        .class_names
        .iter()
        .find(|(name, _)| *name == class);
    found.map_or(&[], |(_, names)| names)
}

/// The builtin class that a value of a type has in Python, if it certainly has that one.
fn builtin_class(ty: Type) -> Option<&'static str> {
    if lists::is_any_list(ty) {
        return Some("list");
    }
    match Number::of(ty) {
        Some(Number::Bool) => return Some("bool"),
        Some(Number::INT64) => return Some("int"),
        Some(Number::FLOAT64) => return Some("float"),
        Some(Number::Complex(64)) => return Some("complex"),
        Some(_) => return None,
        None => {}
    }
    match TypedType::from(ty) {
        TypedType::Str => Some("str"),
        TypedType::Bytes => Some("bytes"),
        TypedType::Range(_) => Some("range"),
        TypedType::Slice(_) => Some("slice"),
        TypedType::Dict(_) => Some("dict"),
        TypedType::Set(_) => Some("set"),
        TypedType::Other(_) if tuples::elements(ty).is_some() => Some("tuple"),
        _ => None,
    }
}

/// What a loop that isn't unrolled goes over: nothing.
fn not_unrolled<'c, 'a>(
    _: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let items = arguments.one()?;
    if iteration::is_empty(items.ty) {
        return Ok(items);
    }
    let what = display(items.ty);
    let message = format!("literal_unroll takes a tuple, or a list of constants, not {what}");
    Err(Stop::issue(message).hint("how many items there are is known by the type of a tuple alone"))
}

/// `type(value)`.
fn type_of<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let value = arguments.one()?;
    // What makes instances may do more than put the fields together.
    if sequences::is_own(value.ty)
        && let Some(class) = overloads::attribute(e, value, "__class__")?
    {
        return Ok(class);
    }
    if is_instance(value.ty)
        && let Some(exception) = exceptions::make(e, value)
    {
        return Ok(exceptions::class_of(e, exception));
    }
    if let TypedType::Sequence(_, class) = TypedType::from(value.ty)
        && !sequences::is_list(value.ty)
    {
        return Ok(e.singleton(TypedType::Literal(class)));
    }
    let name = match builtin_class(value.ty) {
        Some(class) => format!("builtins.{class}"),
        None if value.number().is_some() => format!("numpy.{}", display(value.ty)),
        None if array_type(value.ty).is_some() => "numpy.ndarray".into(),
        None if value.is_none() => CLASS_OF_NONE.into(),
        None => return Err(arguments.no_implementation()),
    };
    let name = e.intern(&name);
    Ok(e.singleton(TypedType::Named(name)))
}

/// What is known of an attribute.
enum Attribute {
    /// Compiled code knows it.
    Known,
    /// Python has it.
    Exists,
    /// There is none.
    Missing,
}

fn look_up<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, object: Val<'c, 'a>, name: &str) -> Typing<Attribute> {
    let builder = e.builder.take();
    let known = attribute(e, object, name);
    e.builder = builder;
    let class = builtin_class(object.ty);
    match known {
        Ok(_) => Ok(Attribute::Known),
        Err(Stop::Issue(_)) if array_type(object.ty).is_some() => {
            Ok(match ARRAY_NAMES.contains(&name) {
                true => Attribute::Exists,
                false => Attribute::Missing,
            })
        }
        Err(Stop::Issue(issue)) => match class {
            Some(class) if names_of(class).contains(&name) => Ok(Attribute::Exists),
            Some(_) => Ok(Attribute::Missing),
            None if names_of("object").contains(&name) => Ok(Attribute::Exists),
            None => Err(Stop::Issue(issue)),
        },
        Err(other) => Err(other),
    }
}

fn attribute_name<'c>(arguments: &Arguments<'c, '_>, name: Val<'c, '_>) -> Typing<&'c str> {
    name.literal_str().ok_or_else(|| {
        Stop::issue(format!(
            "the name of the attribute in {}() must be a constant",
            last_part(arguments.function)
        ))
        .hint("write the name in the call")
    })
}

/// `hasattr(object, name)`.
fn hasattr<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [object, name] = arguments.two()?;
    let name = attribute_name(arguments, name)?;
    let found = look_up(e, object, name)?;
    Ok(e.bool(!matches!(found, Attribute::Missing)))
}

/// `getattr(object, name, default)`.
fn getattr<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let (object, name, default) = match (
        arguments.positional.as_slice(),
        arguments.keywords.as_slice(),
    ) {
        (&[object, name], []) => (object, name, None),
        (&[object, name, default], []) => (object, name, Some(default)),
        _ => return Err(arguments.wrong_count("two or three arguments")),
    };
    let name = attribute_name(arguments, name)?;
    match (look_up(e, object, name)?, default) {
        (Attribute::Missing, Some(default)) => Ok(default),
        (Attribute::Missing, None) => match builtin_class(object.ty) {
            Some(class) => Err(Stop::Raises(
                "AttributeError",
                format!("'{class}' object has no attribute '{name}'"),
            )),
            None => attribute(e, object, name),
        },
        (Attribute::Known | Attribute::Exists, _) => attribute(e, object, name),
    }
}

/// `object.name`, that of overloads first.
fn attribute<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    object: Val<'c, 'a>,
    name: &str,
) -> Typing<Val<'c, 'a>> {
    match overloads::attribute(e, object, name)? {
        Some(found) => Ok(found),
        None => rules::attribute(e, object, name),
    }
}

/// `str(value)` and `repr(value)` where the text needs no memory.
fn text<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    parameter: &str,
) -> Typing<Val<'c, 'a>> {
    let is_str = parameter == "object";
    if is_str && let [bytes, rest @ ..] = &*arguments.positional {
        let has_encoding = !rest.is_empty() || !arguments.keywords.is_empty();
        if has_encoding && TypedType::from(bytes.ty) == TypedType::Bytes {
            let mut encoding = arguments.clone();
            encoding.positional.remove(0);
            return texts::call_method(e, *bytes, "decode", &encoding);
        }
    }
    let [value] = arguments.bind([parameter], usize::from(!is_str))?;
    let Some(value) = value else {
        return Ok(e.string(""));
    };
    match TypedType::from(value.ty) {
        TypedType::Str if is_str => Ok(value),
        TypedType::None => Ok(e.string("None")),
        _ if value.number() == Some(Number::Bool) => {
            let [yes, no] = [e.string("True"), e.string("False")];
            let mut chosen = e.select(value, yes, no);
            chosen.literal = chosen.literal.filter(|_| value.literal.is_some());
            Ok(chosen)
        }
        _ => texts::format(e, value, if is_str { "s" } else { "r" }, None),
    }
}

/// Whether a value's type is one of the given ones: known at compile time, but for None.
fn isinstance<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [value, classes] = arguments.two()?;
    if is_instance(value.ty)
        && let Some(exception) = exceptions::make(e, value)
    {
        return exceptions::matches(e, exception, classes);
    }
    let (present, value) = match is_optional(value.ty) {
        true => optional::parts(e, value),
        false => (e.bool(true), value),
    };
    let classes = tuples::elements(classes.ty).unwrap_or_else(|| vec![classes.ty]);
    let own = match sequences::is_own(value.ty) {
        true => overloads::attribute(e, value, "__class__")?,
        false => None,
    };
    let own = own.and_then(|class| match TypedType::from(class.ty) {
        TypedType::Named(name) => Some(name).filter(|name| CLASSES_OF_OWN_TYPES.contains(name)),
        _ => None,
    });
    let (mut found, mut is_absent) = (false, None);
    for class in classes {
        // None is an object too.
        if TypedType::from(class) == TypedType::Named("builtins.object") {
            return Ok(e.bool(true));
        }
        if TypedType::from(class) == TypedType::Named(CLASS_OF_NONE) {
            found |= value.is_none();
            is_absent = Some(e.not(present));
            continue;
        }
        found |= match (own, TypedType::from(class)) {
            // The library does with lists and tuples what can be done with plain ones alone.
            (Some(_), TypedType::Named("builtins.list" | "builtins.tuple")) if e.is_library() => {
                false
            }
            (Some(own), TypedType::Named(name)) => is_subclass(own, name),
            _ => is_of_class(e, value, class)?,
        };
    }
    let found = e.bool(found);
    let found = e.and(present, found);
    Ok(match is_absent {
        Some(is_absent) => e.or(is_absent, found),
        None => found,
    })
}

/// The class of None.
const CLASS_OF_NONE: &str = "builtins.NoneType";

/// Classes of Python's whose values are of own types, which know them.
const CLASSES_OF_OWN_TYPES: &[&str] = &[
    "builtins.bytearray",
    "builtins.dict",
    "builtins.frozenset",
    "builtins.list",
    "builtins.memoryview",
    "builtins.set",
    "builtins.tuple",
    "collections.Counter",
    "collections.OrderedDict",
    "collections.defaultdict",
    "collections.deque",
];

/// Whether one of them is a class, or derives from it.
fn is_subclass(class: &str, base: &str) -> bool {
    class == base
        || base == "builtins.dict"
            && matches!(
                class,
                "collections.Counter" | "collections.OrderedDict" | "collections.defaultdict"
            )
}

/// Whether a value that is a number, if it is one, is of an abstract class of numbers; nothing for other classes.
/// As in NumPy's hierarchy a truth value is no number, as in that of `numbers` it is an int. Compiled code doesn't
/// tell Python's ints and floats from NumPy's of 64 bits.
fn is_kind_of_number(class: &str, number: Option<Number>) -> Option<bool> {
    let is_int = matches!(number, Some(Number::Int { .. }));
    let is_float = matches!(number, Some(Number::Float(_)));
    let is_complex = matches!(number, Some(Number::Complex(_)));
    Some(match class {
        "numbers.Integral" | "numbers.Rational" => is_int || number == Some(Number::Bool),
        "numbers.Real" => is_int || is_float || number == Some(Number::Bool),
        "numbers.Complex" | "numbers.Number" => number.is_some(),
        "numpy.integer" => is_int,
        "numpy.signedinteger" => matches!(number, Some(Number::Int { signed: true, .. })),
        "numpy.unsignedinteger" => matches!(number, Some(Number::Int { signed: false, .. })),
        "numpy.floating" => is_float,
        "numpy.complexfloating" => is_complex,
        "numpy.inexact" => is_float || is_complex,
        "numpy.number" => is_int || is_float || is_complex,
        _ => return None,
    })
}

fn is_of_class<'c, 'a>(e: &Emit<'_, 'c, 'a>, value: Val<'c, 'a>, class: Type<'c>) -> Typing<bool> {
    if let TypedType::Literal(known) = TypedType::from(class)
        && let class @ PyAttribute::NamedTuple(..) = PyAttribute::from(known)
    {
        return Ok(sequences::class_of(value.ty) == Some(class));
    }
    let instances = |name: &str| e.program.binding(&format!("{name}.<instances>"));
    let name = match (TypedType::from(class), sequences::class_of(class)) {
        (TypedType::Named(name), _) => name,
        // An enumeration is a value itself.
        (_, Some(PyAttribute::NamedTuple(name, ..))) if instances(name).is_some() => name,
        _ => {
            return stop(format!(
                "isinstance() arg 2 must be a type, not {}",
                display(class)
            ));
        }
    };
    if let Some(names) = instance_of(value.ty) {
        return Ok(names.contains(&name));
    }
    // Whoever describes a class of the program says which types its instances have.
    if let Some(instances) = instances(name) {
        let own = match sequences::class_of(value.ty) {
            Some(PyAttribute::NamedTuple(own, ..)) => own.split('(').next(),
            _ => None,
        };
        let mut instances = instances.elements().unwrap_or_default().into_iter();
        return Ok(instances.any(|one| match one.type_value() {
            Some(ty) => ty == value.ty,
            None => own.is_some() && one.string_value() == own,
        }));
    }
    let number = value.number();
    // NumPy's numbers of less bits aren't Python's; the library takes them as such.
    let is_pythons = |width: u32| e.is_library() || width == 64;
    Ok(match name {
        // Members of enumerations of ints are ints too.
        "builtins.int" => match sequences::held_number(value.ty) {
            Some(Number::Int { width, .. }) => is_pythons(width),
            other => other == Some(Number::Bool),
        },
        "builtins.float" => {
            matches!(number, Some(Number::Float(width)) if is_pythons(width))
        }
        "builtins.complex" => {
            matches!(number, Some(Number::Complex(width)) if is_pythons(width))
        }
        "builtins.bool" => number == Some(Number::Bool),
        "builtins.str" => sequences::held_text(value.ty).is_some(),
        "builtins.bytes" => TypedType::from(value.ty) == TypedType::Bytes,
        "builtins.tuple" => tuples::elements(value.ty).is_some() && !sequences::is_list(value.ty),
        "builtins.dict" => {
            // One with constant texts as keys, and values of several types, is one too.
            matches!(TypedType::from(value.ty), TypedType::Dict(_))
                || sequences::keyword_names(value.ty).is_some()
        }
        "builtins.set" => matches!(TypedType::from(value.ty), TypedType::Set(_)),
        "builtins.list" => lists::is_any_list(value.ty),
        "builtins.range" => matches!(TypedType::from(value.ty), TypedType::Range(_)),
        "builtins.slice" => matches!(TypedType::from(value.ty), TypedType::Slice(_)),
        "numpy.ndarray" => array_type(value.ty).is_some(),
        name if let Some(is_delta) = time_constructor(name) => {
            Time::of(value.ty).is_some_and(|time| time.is_delta == is_delta)
        }
        name if CLASSES_OF_OWN_TYPES.contains(&name) => false,
        name if let Some(is_one) = is_kind_of_number(name, sequences::held_number(value.ty)) => {
            is_one
        }
        _ => match scalar_type(name) {
            Some(class) => number == Some(class),
            None => return stop(format!("isinstance() doesn't know the type '{name}'")),
        },
    })
}
