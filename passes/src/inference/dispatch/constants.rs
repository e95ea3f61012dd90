//! Constants of the code, defaults and what global names are bound to.

use super::access::item;
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{addresses, arrays, elements, exceptions, slices},
        functions,
        issue::{Stop, Typing, stop},
        rules,
        val::Val,
    },
    infra::{AttributeExt, ops::typed},
    py::bindings::made_by,
    types::{number::Number, tuples},
};
use melior::ir::{
    Attribute, AttributeLike, ShapedTypeLike, Type, attribute::IntegerAttribute,
    r#type::RankedTensorType,
};
use pyopt_dialects::{
    py::PyAttribute,
    records::Record,
    times::Time,
    typed::{ArrayType, Layout, TypedType, array_type},
};

/// How descriptions of opaque objects end that are called, not asked for what they hold.
const CALLABLES: &[&str] = &[
    "builtin_function_or_method",
    "method_descriptor",
    "wrapper_descriptor",
    "method-wrapper",
    " method",
    " partial",
];

/// How descriptions of objects begin that calls take as they are.
const SHARED: &[&str] = &[
    "a global Counter",
    "a global DictType",
    "a global ListType",
    "a global OrderedDict",
    "a global SetType",
    "a global defaultdict",
    "a global deque",
    "a global instance",
];

/// What a program can do instead of using an object that compiled code doesn't have.
fn way_out(what: &str) -> &'static str {
    if what.starts_with("a callable") || CALLABLES.iter().any(|kind| what.ends_with(kind)) {
        "call it outside and pass its result, or call it in a 'with objmode' block"
    } else if what.starts_with("the class") {
        "make it a dataclass, a named tuple or a jitclass, or pass what it holds as arguments"
    } else if what.starts_with("a global dict") {
        "pass it as an argument, or ask for constant keys alone"
    } else if SHARED.iter().any(|kind| what.starts_with(kind)) {
        "pass it as an argument"
    } else if what.starts_with("a global list") || what.starts_with("a global set") {
        "pass it as an argument, or make it a tuple"
    } else {
        "pass what it holds as arguments, as numbers, arrays, texts, tuples and lists, or use it in a \
         'with objmode' block"
    }
}

/// A constant of the code, a default or a binding.
pub(crate) fn constant<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    value: Attribute<'c>,
) -> Typing<Val<'c, 'a>> {
    match PyAttribute::from(value) {
        PyAttribute::None => Ok(e.none()),
        PyAttribute::CFunction(name, ty, address) => match ty.type_value() {
            Some(ty) if address == 0 => Ok(addresses::c_symbol(e, ty, name)),
            Some(ty) => Ok(addresses::c_function(e, ty, address)),
            None => stop(format!("the C function {value} has no type")),
        },
        PyAttribute::BigInt(digits) => match digits.parse::<u64>() {
            Ok(value) => Ok(unsigned(e, value)),
            Err(_) => Err(
                Stop::issue(format!("the int {digits} does not fit into 64 bits"))
                    .hint("use a float"),
            ),
        },
        PyAttribute::Complex(real, imag) => {
            let part = |attribute: Attribute| attribute.float_value().unwrap_or_default();
            let kind = Number::of(real.value_type()).unwrap_or(Number::FLOAT64);
            Ok(e.complex(part(real), part(imag), kind))
        }
        PyAttribute::Module(name) | PyAttribute::Named(name) => functions::named(e, name),
        // What stands for a global container gives it.
        PyAttribute::Function(symbol) if e.program.binding(&made_by(symbol)).is_some() => {
            rules::call_function(e, symbol, &Arguments::new(&[], None))
        }
        PyAttribute::Function(symbol) => Ok(e.singleton(TypedType::Function(symbol))),
        PyAttribute::Stencil(..)
        | PyAttribute::ObjectCode(..)
        | PyAttribute::NamedTuple(..)
        | PyAttribute::ExceptionClass(_)
        | PyAttribute::Keywords(_)
        | PyAttribute::Ellipsis => Ok(e.singleton(TypedType::Literal(value))),
        PyAttribute::TupleOf(class, items) => {
            let items = builtin(e, items)?;
            Ok(e.of_class(items, class))
        }
        PyAttribute::Slice(parts) => slice(e, parts),
        PyAttribute::Declared(value, ty) => {
            let value = constant(e, value)?;
            match ty.type_value() {
                Some(ty) => declared(e, value, ty),
                None => Ok(value),
            }
        }
        PyAttribute::Ticks(ticks, of) => time(e, ticks, of),
        PyAttribute::Exception(class, arguments) => exceptions::bound(e, class, arguments),
        PyAttribute::Bytes(bytes) => Ok(e.bytes(bytes)),
        PyAttribute::SurrogateStr(_) => stop("a string with lone surrogates is not supported"),
        PyAttribute::FrozenSet(_) => stop("a frozenset is not supported"),
        PyAttribute::Opaque(_, what) => {
            let stop = Stop::issue(format!("{what} can't be compiled"));
            Err(stop.hint(way_out(what)))
        }
        PyAttribute::Other(other) => builtin(e, other),
    }
}

/// A constant that one of MLIR's own attributes describes.
fn builtin<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Attribute<'c>) -> Typing<Val<'c, 'a>> {
    if let Some(value) = value.bool_value() {
        return Ok(e.bool(value));
    }
    if let Some(text) = value.string_value() {
        return Ok(e.string(text));
    }
    if let Some(items) = value.elements() {
        let items = items
            .into_iter()
            .map(|item| constant(e, item))
            .collect::<Typing<Vec<_>>>()?;
        return Ok(e.tuple(&items));
    }
    if let Some(number) = value.integer_value() {
        // Python's own ints have no signedness here, NumPy's have.
        return Ok(match Number::of(value.value_type()) {
            Some(Number::UINT64) => unsigned(e, number as u64),
            Some(kind) => e.int_of(number, kind.to_type(e.context())),
            None => e.int(number),
        });
    }
    if let Some(number) = value.float_value() {
        return Ok(e.float_of(number, value.value_type()));
    }
    if value.is_elements() {
        return array(e, value);
    }
    // The type of a number, as Numba's users call it to convert, or another one that overloads know.
    if let Some(ty) = value.type_value() {
        return Ok(e.singleton(TypedType::DType(ty)));
    }
    stop(format!("the constant {value} can't be compiled"))
}

/// A constant as a value of a type; in the place of objects of classes stand their fields. Arrays of
/// constants are frozen: one that the type says may be written to is a copy. Their elements are in C's order: one
/// in Fortran's order is the transpose.
fn declared<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    value: Val<'c, 'a>,
    ty: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    let types = array_type(value.ty).zip(array_type(ty));
    if let Some((array, wanted)) = types
        && array.layout == Layout::C
        && wanted.layout == Layout::F
        && array.readonly == wanted.readonly
    {
        return Ok(arrays::transpose(e, value));
    }
    if let Some((array, wanted)) = types
        && array.readonly
        && !wanted.readonly
    {
        let copied = arrays::copy(e, value, None)?;
        return e.coerce(copied, ty);
    }
    if let TypedType::Sequence(items, class) = TypedType::from(ty) {
        let items = declared(e, value, items)?;
        return Ok(e.of_class(items, class));
    }
    let (Some(items), Some(types)) = (e.unpack(value), tuples::elements(ty)) else {
        return e.coerce(value, ty);
    };
    let items = items.into_iter().zip(types);
    let items = items.map(|(item, ty)| declared(e, item, ty));
    let items = items.collect::<Typing<Vec<_>>>()?;
    Ok(e.tuple(&items))
}

/// Integers that are times, or bytes that are records.
fn time<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    ticks: Attribute<'c>,
    of: Attribute<'c>,
) -> Typing<Val<'c, 'a>> {
    let ticks = constant(e, ticks)?;
    if let (Some(bytes), Some(records)) =
        (array_type(ticks.ty), of.type_value().and_then(array_type))
        && Record::of(records.element).is_some()
    {
        let seen = ArrayType {
            element: records.element,
            layout: Layout::Bytes,
            ..bytes
        };
        let seen = elements::reinterpreted(e, ticks, seen);
        if records.rank > 0 {
            return Ok(seen);
        }
        let first = e.int(0);
        return item(e, seen, first);
    }
    let Some(time) = of.type_value().and_then(Time::of) else {
        return stop(format!("{of} is no type of times"));
    };
    match array_type(ticks.ty) {
        Some(integers) => Ok(elements::reinterpreted(
            e,
            ticks,
            ArrayType {
                element: time.to_type(e.context()),
                ..integers
            },
        )),
        None => Ok(e.time_of_ticks(ticks, time)),
    }
}

/// A constant slice.
fn slice<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, parts: Attribute<'c>) -> Typing<Val<'c, 'a>> {
    let parts = parts.elements().unwrap_or_default();
    let [start, end, step] = *parts.as_slice() else {
        return stop("a slice has three parts");
    };
    let start = constant(e, start)?;
    let end = constant(e, end)?;
    let step = constant(e, step)?;
    slices::slice(e, start, end, step)
}

/// A constant of 64 bits without a sign. What is known of integers at compile time has one, so
/// nobody is told the number.
fn unsigned<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: u64) -> Val<'c, 'a> {
    let ty = Number::UINT64.to_type(e.context());
    // The bits are those of the unsigned number.
    let mut constant = e.constant(IntegerAttribute::new(ty, value as i64).into(), ty);
    constant.literal = None;
    constant
}

/// An array that was frozen when the function was compiled: nobody may write to it.
fn array<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Attribute<'c>) -> Typing<Val<'c, 'a>> {
    let Ok(tensor) = RankedTensorType::try_from(value.value_type()) else {
        return stop(format!("the constant {value} can't be compiled"));
    };
    let frozen = ArrayType {
        readonly: true,
        ..ArrayType::contiguous(tensor.rank(), tensor.element())
    };
    let ty = e.type_of(TypedType::Array(frozen));
    Ok(e.op(ty, |b| typed::ConstantArray::create(b, value, ty)))
}
