//! Pointers and C functions.

use super::elements;
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing, stop},
        val::{Val, values},
    },
    infra::ops::typed,
    types::{
        addresses::{is_address, is_void_pointer, pointee, pointer_to},
        display::display,
        number::Number,
        records,
    },
};
use melior::ir::{Type, attribute::IntegerAttribute};
use pyopt_dialects::{
    records::Record,
    typed::{ArrayType, Layout, TypedType, array_type, is_element},
};

/// The C function at an address.
pub(crate) fn c_function<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    ty: Type<'c>,
    address: i64,
) -> Val<'c, 'a> {
    let number = number(e, address);
    cast(e, number, ty)
}

/// The C function that has a name, which is looked up when code is loaded.
pub(crate) fn c_symbol<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, ty: Type<'c>, name: &str) -> Val<'c, 'a> {
    e.op(ty, |b| typed::CSymbol::create(b, name, ty))
}

/// Calls a C function: arguments are converted to the types of its parameters.
pub(crate) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    callee: Val<'c, 'a>,
    (parameters, result): (Vec<Type<'c>>, Option<Type<'c>>),
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if !arguments.keywords.is_empty() {
        return stop("C functions take no keyword arguments");
    }
    let (given, expected) = (arguments.positional.len(), parameters.len());
    if given != expected {
        let plural = if expected == 1 { "" } else { "s" };
        return stop(format!(
            "{} takes {expected} argument{plural} ({given} given)",
            display(callee.ty)
        ));
    }
    let inputs = (arguments.positional.iter().zip(parameters))
        .map(|(value, ty)| e.coerce(*value, ty))
        .collect::<Typing<Vec<_>>>()?;
    Ok(match result {
        Some(ty) => e.op(ty, |b| {
            typed::CCall::create(b, callee.ir(), &values(&inputs), &[ty])
        }),
        None => {
            e.effect(|b| typed::CCall::create(b, callee.ir(), &values(&inputs), &[]));
            e.none()
        }
    })
}

/// Where an array begins.
pub(crate) fn of_array<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
) -> Option<Val<'c, 'a>> {
    let ArrayType { element, .. } = array_type(array.ty)?;
    let ty = pointer_to(e.context(), element);
    Some(e.op(ty, |b| typed::Address::create(b, array.ir(), ty)))
}

/// `pointer.data`: the address as a number.
pub(crate) fn data<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, pointer: Val<'c, 'a>) -> Val<'c, 'a> {
    let ty = Number::UINT64.to_type(e.context());
    cast(e, pointer, ty)
}

/// The array of some sizes over the memory at a pointer.
pub(crate) fn array<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    pointer: Val<'c, 'a>,
    sizes: &[Val<'c, 'a>],
    layout: Layout,
) -> Option<Val<'c, 'a>> {
    let start = e.int(0);
    array_from(e, pointer, start, sizes, layout)
}

/// `pointer[index]`
pub(crate) fn item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    pointer: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let place = place(e, pointer, index)?;
    Ok(match is_record(place.ty) {
        // A record is the array without dimensions.
        true => place,
        false => elements::load(e, place, &[]),
    })
}

/// `pointer[index] = value`
pub(crate) fn set_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    pointer: Val<'c, 'a>,
    index: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<()> {
    let place = place(e, pointer, index)?;
    match is_record(place.ty) {
        true => stop("a record behind a pointer is assigned to field by field"),
        false => elements::store(e, place, &[], value),
    }
}

/// What a value is as an address of a type, or an address as a number; nothing if neither is an
/// address. None is the null pointer, an integer the address of anything.
pub(crate) fn coerce<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
    ty: Type<'c>,
) -> Option<Typing<Val<'c, 'a>>> {
    let context = e.context();
    let is_int = |ty| Number::of(ty).is_some_and(|number| matches!(number, Number::Int { .. }));
    if !is_address(ty) {
        let converts = is_void_pointer(operand.ty) && is_int(ty);
        return converts.then(|| {
            let number = data(e, operand);
            Ok(e.cast(number, ty))
        });
    }
    if operand.is_none() {
        let null = number(e, 0);
        return Some(Ok(cast(e, null, ty)));
    }
    let from_pointer = pointee(operand.ty).is_some() && pointee(ty).is_some();
    if is_address(operand.ty) && is_void_pointer(ty) || from_pointer && is_void_pointer(operand.ty)
    {
        return Some(Ok(cast(e, operand, ty)));
    }
    if is_int(operand.ty) && is_void_pointer(ty) {
        let number = e.cast(operand, Number::UINT64.to_type(context));
        return Some(Ok(cast(e, number, ty)));
    }
    None
}

/// The address as another type of address.
pub(crate) fn cast<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    address: Val<'c, 'a>,
    ty: Type<'c>,
) -> Val<'c, 'a> {
    if address.ty == ty {
        return address;
    }
    e.op(ty, |b| typed::AddressCast::create(b, address.ir(), ty))
}

/// An address that is known when the function is compiled. Nobody is told the number: what is known of
/// integers has a sign.
fn number<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, address: i64) -> Val<'c, 'a> {
    let ty = Number::UINT64.to_type(e.context());
    let mut number = e.constant(IntegerAttribute::new(ty, address).into(), ty);
    number.literal = None;
    number
}

/// The array without dimensions of the element at an index.
fn place<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    pointer: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if !matches!(index.number(), Some(Number::Int { .. })) {
        return stop(format!(
            "the index of a pointer is an int, not {}",
            display(index.ty)
        ));
    }
    let si64 = e.si64();
    let index = e.cast(index, si64);
    array_from(e, pointer, index, &[], Layout::C).ok_or_else(|| {
        Stop::issue(format!(
            "no elements are known behind {}",
            display(pointer.ty)
        ))
        .hint("make an array of it: carray(pointer, shape, dtype)")
    })
}

fn is_record(array: Type) -> bool {
    array_type(array).is_some_and(|array| Record::of(array.element).is_some())
}

fn array_from<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    pointer: Val<'c, 'a>,
    start: Val<'c, 'a>,
    sizes: &[Val<'c, 'a>],
    layout: Layout,
) -> Option<Val<'c, 'a>> {
    let element = pointee(pointer.ty).filter(|ty| is_element(*ty))?;
    let array = ArrayType {
        layout: records::layout(element, layout),
        ..ArrayType::contiguous(sizes.len(), element)
    };
    let ty = e.type_of(TypedType::Array(array));
    Some(e.op(ty, |b| {
        typed::PointerArray::create(b, pointer.ir(), start.ir(), &values(sizes), ty)
    }))
}
