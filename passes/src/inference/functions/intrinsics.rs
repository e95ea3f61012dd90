//! What the overload library needs besides Python's and NumPy's own functions.

use super::{numpy_creation, table::Table, user_ufuncs};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{
            choices, dtypes::dtype_argument, elements, lists, objects, optional, texts, wrappers,
        },
        issue::{Typing, stop},
        rules,
        val::{Val, values},
    },
    infra::{
        OperationExt,
        messages::shape,
        ops::{marks, typed},
    },
    types::{
        display::display, join::join_types, layout::element_size, lists::list_item,
        number::is_scalar,
    },
};
use melior::ir::Type;
use pyopt_dialects::{
    enums::{BinaryKind, CompareKind, PatternKind},
    records::Record,
    typed::{ArrayType, Layout, TypedType, array_type},
};

/// The functions; their meaning is written in `python/pyopt/library/intrinsics.py`.
pub(super) const FUNCTIONS: Table = &[
    ("pyopt.library.intrinsics.reshape", reshape),
    ("pyopt.library.intrinsics.repeated", |e, x| {
        strided(e, x, Layout::A, true)
    }),
    ("pyopt.library.intrinsics.rearranged", |e, x| {
        strided(e, x, Layout::A, false)
    }),
    ("pyopt.library.intrinsics.strided", |e, x| {
        strided(e, x, Layout::Bytes, false)
    }),
    ("pyopt.library.intrinsics.drop", drop),
    ("pyopt.library.intrinsics.insert", insert),
    ("pyopt.library.intrinsics.replace", replace),
    ("pyopt.library.intrinsics.fill", fill),
    ("pyopt.library.intrinsics.new_list", new_list),
    ("pyopt.library.intrinsics.truncate", truncate),
    ("pyopt.library.intrinsics.text", |e, arguments| {
        let [name, operands @ ..] = arguments.positional.as_slice() else {
            return Err(arguments.wrong_count("an argument or more"));
        };
        let name = name.literal_str();
        texts::call_runtime(e, name.unwrap_or_default(), operands)
    }),
    ("pyopt.library.intrinsics.host_text", |e, arguments| {
        let [name, operands @ ..] = arguments.positional.as_slice() else {
            return Err(arguments.wrong_count("an argument or more"));
        };
        let name = name.literal_str();
        texts::call_host(e, name.unwrap_or_default(), operands)
    }),
    ("pyopt.library.intrinsics.is_parallel", |e, _| {
        let threads = e.program.threads;
        Ok(e.bool(threads))
    }),
    ("pyopt.library.intrinsics.prange", prange),
    ("pyopt.library.intrinsics.parts", parts),
    ("pyopt.library.intrinsics.draw", |e, arguments| {
        let [name, like, parameters] = three(arguments)?;
        draw(e, arguments, ("", name), &[parameters], like.ty)
    }),
    ("pyopt.library.intrinsics.draws", |e, arguments| {
        let [name, operands @ ..] = arguments.positional.as_slice() else {
            return Err(arguments.wrong_count("an argument or more"));
        };
        let none = e.none();
        draw(e, arguments, ("fill_", *name), operands, none.ty)
    }),
    ("pyopt.library.intrinsics.clock", |e, arguments| {
        let number = e.coerce(arguments.one()?, e.si64())?;
        let nanoseconds = e.si64();
        Ok(objects::call_native(
            e,
            "pyopt_clock",
            &[number],
            nanoseconds,
        ))
    }),
    ("pyopt.library.intrinsics.unsupported", unsupported),
    ("pyopt.library.intrinsics.check", check),
    ("pyopt.library.intrinsics.elementwise", user_ufuncs::call),
    ("pyopt.library.intrinsics.is_constant", |e, arguments| {
        let is_constant = arguments.one()?.constant().is_some();
        Ok(e.bool(is_constant))
    }),
    ("pyopt.library.intrinsics.value_of", |e, arguments| {
        let value = arguments.one()?;
        Ok(optional::unwrap(e, value))
    }),
    ("pyopt.library.intrinsics.is_first", |e, arguments| {
        choices::is_first(e, arguments.one()?)
    }),
    ("pyopt.library.intrinsics.first", |e, arguments| {
        choices::first(e, arguments.one()?)
    }),
    ("pyopt.library.intrinsics.others", |e, arguments| {
        choices::others(e, arguments.one()?)
    }),
    ("pyopt.library.intrinsics.is_strided", |e, arguments| {
        let array = array_type(arguments.one()?.ty);
        let is_strided = array.is_some_and(|array| {
            matches!(array.layout, Layout::A | Layout::F) && Record::of(array.element).is_none()
        });
        Ok(e.bool(is_strided))
    }),
    ("numpy.result_type", result_type),
    ("numpy.promote_types", result_type),
];

fn reshape<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [array, shape] = arguments.two()?;
    let sizes = numpy_creation::shape(e, shape)?;
    let Some(source) = array_type(array.ty) else {
        return Err(arguments.no_implementation());
    };
    let result = ArrayType {
        rank: sizes.len(),
        ..source
    };
    let ty = result.to_type(e.context());
    if let Some(record) = Record::of(source.element) {
        // No type says that they lie without gaps: the library has seen to it.
        let mut step = e.int(record.size);
        let mut strides = vec![step; sizes.len()];
        for (stride, size) in strides.iter_mut().zip(&sizes).rev() {
            *stride = step;
            step = e.binary(BinaryKind::Mul, step, *size);
        }
        return Ok(e.op(ty, |b| {
            typed::Strided::create(b, array.ir(), &values(&sizes), &values(&strides), ty)
        }));
    }
    if source.layout != Layout::C {
        return Err(arguments.no_implementation());
    }
    Ok(e.op(ty, |b| {
        typed::Reshape::create(b, array.ir(), &values(&sizes), ty)
    }))
}

/// A view with other sizes and strides. What repeats elements is for reading only, so that none is
/// written twice; in layout `A` the strides are those of the array's own dimensions, or 0.
fn strided<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    layout: Layout,
    readonly: bool,
) -> Typing<Val<'c, 'a>> {
    let [array, shape, strides] = three(arguments)?;
    let (Some(source), Some(mut strides)) = (array_type(array.ty), e.unpack(strides)) else {
        return Err(arguments.no_implementation());
    };
    let sizes = numpy_creation::shape(e, shape)?;
    if strides.len() != sizes.len() || !strides.iter().all(|stride| e.is_int(stride.ty)) {
        return Err(arguments.no_implementation());
    }
    let result = ArrayType {
        rank: sizes.len(),
        layout: match source.layout {
            Layout::Bytes => Layout::Bytes,
            _ => layout,
        },
        readonly: readonly || source.readonly,
        ..source
    };
    if result.layout == Layout::A {
        let item = e.int(element_size(source.element));
        for stride in &mut strides {
            *stride = e.binary(BinaryKind::FloorDiv, *stride, item);
        }
    }
    let ty = result.to_type(e.context());
    Ok(e.op(ty, |b| {
        typed::Strided::create(b, array.ir(), &values(&sizes), &values(&strides), ty)
    }))
}

/// The items of a tuple of one type, that type, and a position in it.
type Items<'c, 'a> = (Vec<Val<'c, 'a>>, Val<'c, 'a>);

fn items<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    [items, position]: [Val<'c, 'a>; 2],
) -> Typing<Items<'c, 'a>> {
    let items = e
        .unpack(items)
        .ok_or_else(|| arguments.no_implementation())?;
    let same = items.windows(2).all(|pair| pair[0].ty == pair[1].ty);
    if !same || !e.is_int(position.ty) {
        return Err(arguments.no_implementation());
    }
    let si64 = e.si64();
    Ok((items, e.cast(position, si64)))
}

/// Whether a position is before, at or behind a known one.
fn is<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: CompareKind,
    position: Val<'c, 'a>,
    known: usize,
) -> Val<'c, 'a> {
    let known = e.int(known as i64);
    match (position.literal_int(), known.literal_int()) {
        (Some(a), Some(b)) => e.bool(match kind {
            CompareKind::Gt => a > b,
            _ => a == b,
        }),
        _ => e.compare(kind, position, known),
    }
}

fn drop<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let (items, position) = items(e, arguments, arguments.two()?)?;
    let kept: Vec<_> = items
        .windows(2)
        .enumerate()
        .map(|(at, pair)| {
            let before = is(e, CompareKind::Gt, position, at);
            e.select(before, pair[0], pair[1])
        })
        .collect();
    Ok(e.tuple(&kept))
}

fn three<'c, 'a>(arguments: &Arguments<'c, 'a>) -> Typing<[Val<'c, 'a>; 3]> {
    <[Val; 3]>::try_from(arguments.positional.as_slice())
        .map_err(|_| arguments.wrong_count("three arguments"))
}

fn insert<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [tuple, position, item] = three(arguments)?;
    let (items, position) = items(e, arguments, [tuple, position])?;
    let mut result = Vec::new();
    for at in 0..=items.len() {
        let here = is(e, CompareKind::Eq, position, at);
        let before = is(e, CompareKind::Gt, position, at);
        let behind = at.checked_sub(1).map_or(item, |at| items[at]);
        let other = match items.get(at) {
            Some(same) => e.select(before, *same, behind),
            None => behind,
        };
        result.push(e.select(here, item, other));
    }
    Ok(e.tuple(&result))
}

fn replace<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [tuple, position, item] = three(arguments)?;
    let (mut items, position) = items(e, arguments, [tuple, position])?;
    for (at, other) in items.iter_mut().enumerate() {
        let here = is(e, CompareKind::Eq, position, at);
        // The int that a member of an enumeration is, as the item is one.
        let before = wrappers::held(e, *other);
        *other = e.select(here, item, before);
    }
    Ok(e.tuple(&items))
}

fn fill<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [item, count] = arguments.two()?;
    match count.literal_int().map(usize::try_from) {
        Some(Ok(count)) => Ok(e.tuple(&vec![item; count])),
        _ => Err(arguments.no_implementation()),
    }
}

fn new_list<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [like, room] = arguments.two()?;
    match list_item(like.ty) {
        Some(_) => Ok(lists::with_room(e, like.ty, room)),
        None => Err(arguments.no_implementation()),
    }
}

fn truncate<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [list, length] = arguments.two()?;
    let length = e.cast(length, e.si64());
    e.effect(|b| typed::ListTruncate::create(b, list.ir(), length.ir()));
    Ok(e.none())
}

/// A range whose items may be gone through on threads, if the option of that name is on.
fn prange<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [option, count] = arguments.two()?;
    let pattern = (option.literal_str())
        .and_then(PatternKind::from_name)
        .filter(|pattern| matches!(pattern, PatternKind::Numpy | PatternKind::Reduction))
        .ok_or_else(|| arguments.no_implementation())?;
    let mark = pattern.to_attribute(e.context());
    let count = e.cast(count, e.si64());
    let (zero, one) = (e.int(0), e.int(1));
    let ty = e.type_of(TypedType::Range(e.si64()));
    Ok(e.op(ty, |b| {
        let range = typed::Range::create(b, zero.ir(), count.ir(), one.ir(), ty);
        range.set_parallel(true);
        range.set_attr(marks::PRANGE, mark);
        range
    }))
}

/// Into how many parts to cut so many iterations of so much work: 1 where nothing is on threads.
fn parts<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let si64 = e.si64();
    let inputs = arguments.two()?.map(|number| e.cast(number, si64));
    match e.program.threads {
        true => Ok(objects::call_native(
            e,
            "pyopt_parts_for_work",
            &inputs,
            si64,
        )),
        false => Ok(e.int(1)),
    }
}

/// Calls the runtime's function for a distribution, with the items of tuples among the operands.
fn draw<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    (does, name): (&str, Val<'c, 'a>),
    operands: &[Val<'c, 'a>],
    result: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    let name = name
        .literal_str()
        .ok_or_else(|| arguments.no_implementation())?;
    let mut inputs = Vec::new();
    for operand in operands {
        match e.unpack(*operand) {
            Some(items) => inputs.extend(items),
            None => inputs.push(*operand),
        }
    }
    let symbol = format!("pyopt_random_{does}{name}");
    Ok(objects::call_native(e, &symbol, &inputs, result))
}

fn unsupported<'c, 'a>(
    _: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    stop(arguments.one()?.literal_str().unwrap_or("not supported"))
}

/// Raises an error with ints and shapes in its message unless a condition holds.
fn check<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [condition, error, template, shown @ ..] = arguments.positional.as_slice() else {
        return Err(arguments.wrong_count("three arguments or more"));
    };
    let (Some(error), Some(template)) = (error.literal_str(), template.literal_str()) else {
        return Err(arguments.no_implementation());
    };
    let mut parts = template.split("{}");
    let mut message = parts.next().unwrap_or_default().to_owned();
    let mut ints = Vec::new();
    for (value, part) in shown.iter().zip(parts) {
        match e.unpack(*value) {
            Some(sizes) => {
                message += &shape(sizes.len());
                ints.extend(sizes);
            }
            None => {
                message += "{}";
                ints.push(*value);
            }
        }
        message += part;
    }
    for int in &mut ints {
        *int = wrappers::held(e, *int);
    }
    if let Some(other) = ints.iter().find(|int| !e.is_int(int.ty)) {
        return stop(format!("{} isn't an int of a message", display(other.ty)));
    }
    let condition = rules::truth(e, *condition)?;
    let fails = e.not(condition);
    e.raise_with(fails, error, &message, &ints);
    Ok(e.none())
}

/// The type that holds the elements of all arguments: arrays, numbers, types.
fn result_type<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let mut result: Option<Type> = None;
    for &argument in &arguments.positional {
        let element = match elements::element_type(argument) {
            element if is_scalar(element) || Record::of(element).is_some() => element,
            _ => dtype_argument(e, argument)?,
        };
        let joined = match result {
            Some(before) if before == element => Some(element),
            Some(before) => join_types(e.context(), before, element),
            None => Some(element),
        };
        result = Some(joined.ok_or_else(|| arguments.no_implementation())?);
    }
    let ty = result.ok_or_else(|| arguments.wrong_count("one argument or more"))?;
    Ok(e.singleton(TypedType::DType(ty)))
}
