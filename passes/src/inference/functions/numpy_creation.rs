//! NumPy's functions that make arrays.

use super::{numpy_items, table::Table};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{arrays, dtypes::dtype_or, elements, wrappers},
        issue::{Stop, Typing},
        rules,
        val::{Val, values},
    },
    infra::ops::typed,
    types::{
        display::display,
        number::{Number, is_scalar},
        records,
    },
};
use melior::ir::Type;
use pyopt_dialects::{
    enums::{BinaryKind, CompareKind},
    records::Record,
    typed::{ArrayType, Layout, array_type},
};
use pyopt_library as library;

/// The functions.
pub(super) const FUNCTIONS: Table = &[
    ("numpy.empty", |e, x| filled(e, x, Fill::Nothing)),
    ("numpy.zeros", |e, x| filled(e, x, Fill::Zero)),
    ("numpy.ones", |e, x| filled(e, x, Fill::One)),
    ("numpy.full", full),
    ("numpy.empty_like", |e, x| filled_like(e, x, Fill::Nothing)),
    ("numpy.zeros_like", |e, x| filled_like(e, x, Fill::Zero)),
    ("numpy.ones_like", |e, x| filled_like(e, x, Fill::One)),
    ("numpy.full_like", full_like),
    ("numpy.eye", eye),
    ("numpy.identity", |e, x| {
        let [Some(size), dtype] = x.bind(["n", "dtype"], 1)? else {
            return Err(x.wrong_count("one or two arguments"));
        };
        diagonal(e, x, [size, size], None, dtype)
    }),
    ("numpy.copy", |e, x| {
        let array = array_argument(x, x.one()?)?;
        arrays::copy(e, array, None)
    }),
    ("numpy.array", |e, x| converted(e, x, true)),
    ("numpy.asarray", |e, x| converted(e, x, false)),
    ("numpy.asfortranarray", |e, x| {
        let array = array_argument(x, x.one()?)?;
        match array_type(array.ty) {
            Some(ArrayType {
                layout: Layout::F, ..
            }) => Ok(array),
            Some(ArrayType {
                layout: Layout::C,
                rank: 0 | 1,
                ..
            }) => Ok(array),
            _ => arrays::copy(e, array, Some(Layout::F)),
        }
    }),
    ("numpy.ascontiguousarray", |e, x| {
        let array = array_argument(x, x.one()?)?;
        match array_type(array.ty) {
            Some(ArrayType {
                layout: Layout::C, ..
            }) => Ok(array),
            Some(ArrayType { element, .. }) if Record::of(element).is_some() => {
                let source = library::find("pyopt.contiguous_records");
                rules::call_library(e, source.ok_or(Stop::Unknown)?, x)
            }
            _ => arrays::copy(e, array, Some(Layout::C)),
        }
    }),
];

/// What the elements of a new array are.
#[derive(Clone, Copy)]
enum Fill<'c, 'a> {
    Nothing,
    Zero,
    One,
    Value(Val<'c, 'a>),
}

/// The argument, which must be an array.
pub(super) fn array_argument<'c, 'a>(
    arguments: &Arguments<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    match array_type(value.ty) {
        Some(_) => Ok(value),
        None => Err(arguments.no_implementation().hint("pass an array")),
    }
}

/// The sizes that a `shape` argument gives: an int, or a tuple of them.
pub(super) fn shape<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    shape: Val<'c, 'a>,
) -> Typing<Vec<Val<'c, 'a>>> {
    let sizes = e.unpack(shape).unwrap_or_else(|| vec![shape]);
    let si64 = e.si64();
    sizes
        .into_iter()
        .map(|size| {
            let size = wrappers::held(e, size);
            match (size.number(), size.literal_int()) {
                (Some(Number::Int { .. }), Some(..0)) => Err(Stop::Raises(
                    "ValueError",
                    "negative dimensions are not allowed".into(),
                )),
                (Some(Number::Int { .. }), Some(value)) => Ok(e.int(value)),
                (Some(Number::Int { .. }), None) => Ok(e.cast(size, si64)),
                _ => Err(Stop::issue(format!("{} is not a shape", display(shape.ty)))
                    .hint("a shape is an int or a tuple of ints")),
            }
        })
        .collect()
}

/// A new array of a type, filled.
fn make<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    sizes: &[Val<'c, 'a>],
    array: ArrayType<'c>,
    fill: Fill<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let array = ArrayType {
        layout: records::layout(array.element, array.layout),
        ..array
    };
    match fill {
        Fill::Nothing | Fill::Zero => {
            let zeroed = matches!(fill, Fill::Zero);
            return Ok(elements::empty(e, sizes, array, zeroed));
        }
        Fill::One | Fill::Value(_) => {}
    }
    if !is_scalar(array.element) {
        return Err(Stop::issue("only arrays of numbers and times are filled")
            .hint("make one of zeros, and assign to its fields"));
    }
    generate(e, sizes, array.layout, |e, _| match fill {
        Fill::Value(value) => match value.literal {
            Some(literal) => {
                let value = e.constant(literal, value.ty);
                e.coerce(value, array.element)
            }
            None => e.coerce(value, array.element),
        },
        _ => Ok(e.number(1, array.element)),
    })
}

/// A new array whose element at each index `body` computes.
pub(super) fn generate<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    sizes: &[Val<'c, 'a>],
    layout: Layout,
    body: impl Fn(&mut Emit<'_, 'c, 'a>, &[Val<'c, 'a>]) -> Typing<Val<'c, 'a>>,
) -> Typing<Val<'c, 'a>> {
    let indices = vec![Type::index(e.context()); sizes.len()];
    let rank = sizes.len();
    e.region_op(
        &indices,
        |b, ty| typed::Generate::create(b, &values(sizes), ty),
        body,
        |e, element| {
            ArrayType {
                layout,
                ..ArrayType::contiguous(rank, element)
            }
            .to_type(e.context())
        },
    )
}

fn filled<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    fill: Fill<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [Some(sizes), dtype] = arguments.bind(["shape", "dtype"], 1)? else {
        return Err(arguments.wrong_count("one or two arguments"));
    };
    let sizes = shape(e, sizes)?;
    let element = dtype_or(e, dtype, e.f64())?;
    make(e, &sizes, ArrayType::contiguous(sizes.len(), element), fill)
}

fn full<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [Some(sizes), Some(value), dtype] = arguments.bind(["shape", "fill_value", "dtype"], 2)?
    else {
        return Err(arguments.wrong_count("two or three arguments"));
    };
    if !is_scalar(value.ty) {
        return Err(arguments.no_implementation());
    }
    let sizes = shape(e, sizes)?;
    let element = dtype_or(e, dtype, value.ty)?;
    let array = ArrayType::contiguous(sizes.len(), element);
    make(e, &sizes, array, Fill::Value(value))
}

fn filled_like<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    fill: Fill<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [Some(array), dtype] = arguments.bind(["a", "dtype"], 1)? else {
        return Err(arguments.wrong_count("one or two arguments"));
    };
    like(e, arguments, array, dtype, fill)
}

fn full_like<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [Some(array), Some(value), dtype] = arguments.bind(["a", "fill_value", "dtype"], 2)? else {
        return Err(arguments.wrong_count("two or three arguments"));
    };
    like(e, arguments, array, dtype, Fill::Value(value))
}

/// An array of the shape of another, where Fortran order is kept, or of a number's: without dimensions.
fn like<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    array: Val<'c, 'a>,
    dtype: Option<Val<'c, 'a>>,
    fill: Fill<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if is_scalar(array.ty) {
        let element = dtype_or(e, dtype, array.ty)?;
        return make(e, &[], ArrayType::contiguous(0, element), fill);
    }
    let array = array_argument(arguments, array)?;
    let sizes = elements::dimensions(e, array);
    let element = dtype_or(e, dtype, elements::element_type(array))?;
    let layout = array.memory_order().unwrap_or(Layout::C);
    let array = ArrayType {
        layout,
        ..ArrayType::contiguous(sizes.len(), element)
    };
    make(e, &sizes, array, fill)
}

/// `np.array` and `np.asarray`: of an array or a tuple of numbers; only the first one copies
/// always.
fn converted<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    copies: bool,
) -> Typing<Val<'c, 'a>> {
    let [Some(object), dtype] = arguments.bind(["object", "dtype"], 1)? else {
        return Err(arguments.wrong_count("one or two arguments"));
    };
    if let Some(items) = e.unpack(object) {
        return numpy_items::from_items(e, arguments, &items, dtype);
    }
    if is_scalar(object.ty) {
        let element = dtype_or(e, dtype, object.ty)?;
        let array = make(e, &[], ArrayType::contiguous(0, element), Fill::Nothing)?;
        arrays::assign(e, array, object)?;
        return Ok(array);
    }
    let array = array_argument(arguments, object)?;
    let from = elements::element_type(array);
    let element = dtype_or(e, dtype, from)?;
    match (element == from, copies) {
        (true, false) => Ok(array),
        (true, true) => arrays::copy(e, array, None),
        _ => arrays::convert(e, array, element),
    }
}

fn eye<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [Some(rows), columns, offset, dtype] = arguments.bind(["N", "M", "k", "dtype"], 1)? else {
        return Err(arguments.wrong_count("one to four arguments"));
    };
    let columns = columns.filter(|columns| !columns.is_none()).unwrap_or(rows);
    diagonal(e, arguments, [rows, columns], offset, dtype)
}

/// A matrix with ones on a diagonal.
fn diagonal<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    sizes: [Val<'c, 'a>; 2],
    offset: Option<Val<'c, 'a>>,
    dtype: Option<Val<'c, 'a>>,
) -> Typing<Val<'c, 'a>> {
    let offset = offset.unwrap_or_else(|| e.int(0));
    if !sizes.iter().chain([&offset]).all(|part| e.is_int(part.ty)) {
        return Err(arguments.no_implementation());
    }
    let si64 = e.si64();
    let [rows, columns] = sizes.map(|size| e.cast(size, si64));
    let offset = e.cast(offset, si64);
    let element = dtype_or(e, dtype, e.f64())?;
    generate(e, &[rows, columns], Layout::C, |e, indices| {
        let row = e.cast(indices[0], si64);
        let column = e.cast(indices[1], si64);
        let row = e.binary(BinaryKind::Add, row, offset);
        let on_diagonal = e.compare(CompareKind::Eq, row, column);
        Ok(e.cast(on_diagonal, element))
    })
}
