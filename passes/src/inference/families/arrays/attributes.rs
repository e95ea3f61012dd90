//! Attributes and methods of arrays.

use super::{assignment::assign, flat, only, operators::convert, records, reinterpret};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{
            addresses,
            dtypes::dtype_argument,
            elements::{self, dimensions, elementwise, require_writable, size},
        },
        issue::{Stop, Typing, stop},
        rules,
        val::Val,
    },
    infra::ops::typed,
    types::{display::display, layout::element_size, number::is_scalar},
};
use pyopt_dialects::{
    enums::BinaryKind,
    typed::{ArrayType, Layout, TypedType, array_type},
};
use pyopt_library as library;

/// Methods that are NumPy's functions of the same name.
const FUNCTIONS: &[(&str, &str)] = &[
    ("sum", "numpy.sum"),
    ("prod", "numpy.prod"),
    ("min", "numpy.min"),
    ("max", "numpy.max"),
    ("mean", "numpy.mean"),
    ("var", "numpy.var"),
    ("std", "numpy.std"),
    ("any", "numpy.any"),
    ("all", "numpy.all"),
    ("dot", "numpy.dot"),
    ("clip", "numpy.clip"),
    ("conj", "numpy.conj"),
    ("conjugate", "numpy.conjugate"),
    ("transpose", "numpy.transpose"),
    ("swapaxes", "numpy.swapaxes"),
];

/// What NumPy's arrays have besides.
const UNSUPPORTED: &[&str] = &["diagonal", "partition", "resize"];

/// `array.name`, `None` for an attribute that arrays don't have.
pub(crate) fn attribute<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    name: &str,
) -> Typing<Option<Val<'c, 'a>>> {
    let Some(ArrayType { rank, element, .. }) = array_type(array.ty) else {
        return Ok(None);
    };
    Ok(Some(match name {
        "ndim" => e.int(rank as i64),
        "shape" => {
            let sizes = dimensions(e, array);
            e.tuple(&sizes)
        }
        "size" => size(e, array),
        "T" => transpose(e, array),
        "dtype" => e.singleton(TypedType::DType(element)),
        "itemsize" => e.int(element_size(element)),
        "nbytes" => {
            let size = size(e, array);
            let item = e.int(element_size(element));
            e.binary(BinaryKind::Mul, size, item)
        }
        "flat" => flat::flat(e, array),
        "ctypes" => return Ok(addresses::of_array(e, array)),
        "strides" => reinterpret::strides(e, array),
        "real" | "imag" if reinterpret::has_parts(element) => reinterpret::part(e, array, name),
        "real" => array,
        "imag" if is_scalar(element) => {
            elementwise(e, &[array], |e, elements| Ok(e.number(0, elements[0].ty)))?
        }
        "fill" | "astype" | "copy" | "item" | "view" | "flags" => e.method(array, name),
        _ if FUNCTIONS.iter().any(|(method, _)| *method == name)
            || library::method(name).is_some() =>
        {
            e.method(array, name)
        }
        _ if UNSUPPORTED.contains(&name) => {
            return Err(Stop::issue(format!(
                "'{name}' of {} is not supported yet",
                display(array.ty)
            ))
            .hint("use it outside of the compiled function, or write a loop"));
        }
        _ => return Ok(None),
    }))
}

/// An array without dimensions that holds a number.
fn of_number<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, number: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let array = elements::empty(e, &[], ArrayType::contiguous(0, number.ty), false);
    elements::store(e, array, &[], number)?;
    Ok(array)
}

/// The view with the dimensions in reverse order.
pub(crate) fn transpose<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, array: Val<'c, 'a>) -> Val<'c, 'a> {
    let rank = array_type(array.ty).map_or(0, |array| array.rank);
    let order: Vec<_> = (0..rank).rev().collect();
    permute(e, array, &order)
}

/// The view whose dimensions are those of the array in an order.
pub(crate) fn permute<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    order: &[usize],
) -> Val<'c, 'a> {
    let Some(source) = array_type(array.ty).filter(|_| !order.is_sorted()) else {
        return array;
    };
    let reversed = order.iter().rev().is_sorted();
    let layout = match source.layout {
        Layout::C if reversed => Layout::F,
        Layout::F if reversed => Layout::C,
        Layout::Bytes => Layout::Bytes,
        _ => Layout::A,
    };
    let ty = ArrayType { layout, ..source }.to_type(e.context());
    let numbers: Vec<_> = order.iter().map(|dimension| *dimension as i64).collect();
    let transposed = e.op(ty, |b| {
        let transpose = typed::Transpose::create(b, array.ir(), ty);
        if !reversed {
            transpose.set_permutation(Some(&numbers));
        }
        transpose
    });
    let order = array.memory_order().filter(|_| reversed);
    let order = order.map(|order| match order {
        Layout::F => Layout::C,
        _ => Layout::F,
    });
    transposed.with_memory_order(e.context(), order)
}

/// `receiver.name(arguments)` of an array.
pub(crate) fn call_method<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    receiver: Val<'c, 'a>,
    name: &'c str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if let Some((_, function)) = FUNCTIONS.iter().find(|(method, _)| *method == name) {
        let mut arguments = arguments.clone();
        arguments.function = function;
        arguments.positional.insert(0, receiver);
        return rules::call_named(e, function, &arguments);
    }
    if let Some(source) = library::method(name) {
        let mut arguments = arguments.clone();
        arguments.positional.insert(0, receiver);
        return rules::call_library(e, source, &arguments);
    }
    match name {
        "astype" => {
            let [Some(dtype)] = arguments.bind(["dtype"], 1)? else {
                return Err(arguments.wrong_count("one argument"));
            };
            let element = dtype_argument(e, dtype)?;
            let converted = convert(e, receiver, element)?;
            match array_type(converted.ty) {
                Some(_) => Ok(converted),
                None => of_number(e, converted),
            }
        }
        "copy" => {
            let [] = arguments.bind([], 0)?;
            copy(e, receiver, Some(Layout::C))
        }
        "fill" => {
            let value = arguments.one()?;
            require_writable(receiver)?;
            if !is_scalar(value.ty) {
                return Err(arguments.no_implementation());
            }
            assign(e, receiver, value)?;
            Ok(e.none())
        }
        "view" => reinterpret::view(e, receiver, arguments),
        "item" => item(e, receiver, arguments),
        _ => stop(format!(
            "unknown method '{name}' of type {}",
            display(receiver.ty)
        )),
    }
}

/// A fresh array of the same elements; in a layout, or else in the order that the elements lie in.
pub(crate) fn copy<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    layout: Option<Layout>,
) -> Typing<Val<'c, 'a>> {
    let Some(source) = array_type(array.ty) else {
        return Ok(array);
    };
    if records::of(array).is_some() {
        return records::copy(e, array);
    }
    let layout = layout.or(array.memory_order()).unwrap_or(Layout::C);
    e.region_op(
        &[source.element],
        |b, ty| typed::ArrayExpr::create(b, &[array.ir()], ty),
        |_, elements| Ok(elements[0]),
        |e, element| {
            ArrayType {
                layout,
                ..ArrayType::contiguous(source.rank, element)
            }
            .to_type(e.context())
        },
    )
}

/// `array.item(indices)`: a number.
fn item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let rank = array_type(array.ty).map_or(0, |array| array.rank);
    let indices = match arguments.positional.as_slice() {
        [] => return only::only_element(e, array),
        &[index] => e.unpack(index).unwrap_or_else(|| vec![index]),
        indices => indices.to_vec(),
    };
    if indices.len() != rank || !indices.iter().all(|index| e.is_int(index.ty)) {
        return Err(arguments
            .no_implementation()
            .hint("give one int a dimension"));
    }
    let si64 = e.si64();
    let indices: Vec<_> = indices
        .into_iter()
        .map(|index| e.cast(index, si64))
        .collect();
    Ok(elements::load(e, array, &indices))
}
