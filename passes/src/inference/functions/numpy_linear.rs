//! Products of vectors and matrices.

use super::{
    numpy_creation::{array_argument, generate},
    table::Table,
};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{
            arrays, elements, objects, slices,
            ufuncs::{binary_element, unary_element},
        },
        issue::{Stop, Typing},
        program::Products,
        val::Val,
    },
    infra::{
        BlockExt,
        ops::{scf, typed},
    },
    types::{display::display_list, number::Number},
};
use melior::ir::Type;
use pyopt_dialects::{
    enums::{BinaryKind, PyBinaryKind, ReduceKind, UnaryKind},
    typed::{ArrayType, Layout, TypedType, array_type},
};

/// The functions.
pub(super) const FUNCTIONS: Table = &[
    ("numpy.dot", |e, x| {
        let [lhs, rhs] = x.two()?;
        match [lhs, rhs]
            .iter()
            .all(|operand| array_type(operand.ty).is_some())
        {
            true => matmul(e, lhs, rhs),
            false => arrays::binary(e, PyBinaryKind::Mul, lhs, rhs),
        }
    }),
    ("numpy.matmul", |e, x| {
        let [lhs, rhs] = x.two()?;
        matmul(e, lhs, rhs)
    }),
    ("numpy.outer", outer),
    ("numpy.linalg.norm", norm),
];

/// `lhs @ rhs` of vectors and matrices.
pub(crate) fn matmul<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let rank = |operand: Val| array_type(operand.ty).map(|array| array.rank);
    let number = |operand| Number::of(elements::element_type(operand));
    let (Some(left @ 1..=2), Some(right @ 1..=2), Some(a), Some(b)) =
        (rank(lhs), rank(rhs), number(lhs), number(rhs))
    else {
        return Err(unsupported(lhs, rhs));
    };
    let number = a.promote(b);
    if number == Number::Bool {
        return Err(unsupported(lhs, rhs));
    }
    let ty = number.to_type(e.context());
    let message = format!(
        "shapes not aligned: {{}} (dim {}) != {{}} (dim 0)",
        left - 1
    );
    let inner = elements::dimension(e, lhs, left - 1);
    let other = elements::dimension(e, rhs, 0);
    e.effect(|b| typed::RequireEqual::create(b, inner.ir(), other.ir(), &message));
    if (left, right) == (1, 1) {
        let products = arrays::binary(e, PyBinaryKind::Mul, lhs, rhs)?;
        return Ok(elements::reduce(e, ReduceKind::Sum, products, ty));
    }
    let mut sizes = Vec::new();
    if left == 2 {
        sizes.push(elements::dimension(e, lhs, 0));
    }
    if right == 2 {
        sizes.push(elements::dimension(e, rhs, 1));
    }
    if let Some(kernel) = kernel(e, [left, right], number) {
        return by_kernel(e, &kernel, [lhs, rhs], &sizes, ty);
    }
    generate(e, &sizes, Layout::C, |e, indices| {
        let row = &indices[..left - 1];
        let column = &indices[indices.len() + 1 - right..];
        let zero = e.number(0, ty);
        accumulate(e, inner, zero, |e, position, sum| {
            let x = elements::load(e, lhs, &[row, &[position]].concat());
            let y = elements::load(e, rhs, &[&[position], column].concat());
            let (x, y) = (e.cast(x, ty), e.cast(y, ty));
            let product = e.binary(BinaryKind::Mul, x, y);
            Ok(e.binary(BinaryKind::Add, sum, product))
        })
    })
}

/// The runtime's function for operands of these ranks, if there is one and it is to be used.
fn kernel(e: &Emit, ranks: [usize; 2], number: Number) -> Option<String> {
    let shape = match (ranks, e.program.products) {
        ([2, 2], Products::Matrices | Products::All) => "matmul",
        ([2, 2], Products::Threads) => "matmul_on_threads",
        // As a loop over its elements it would go through the matrix column by column.
        ([1, 2], Products::Threads) => "vecmat_on_threads",
        ([2, 1], Products::All) => "matvec",
        ([1, 2], Products::All) => "vecmat",
        _ => return None,
    };
    let element = match number {
        Number::Float(32) => "f32",
        Number::Float(64) => "f64",
        Number::Complex(32) => "c64",
        Number::Complex(64) => "c128",
        _ => return None,
    };
    Some(format!("pyopt_{shape}_{element}"))
}

/// A product by a function of the runtime, which follows all strides but those in
/// bytes.
fn by_kernel<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kernel: &str,
    operands: [Val<'c, 'a>; 2],
    sizes: &[Val<'c, 'a>],
    ty: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    let mut inputs = vec![elements::empty(
        e,
        sizes,
        ArrayType::contiguous(sizes.len(), ty),
        false,
    )];
    for operand in operands {
        inputs.push(match array_type(operand.ty) {
            Some(array) if array.element != ty => arrays::convert(e, operand, ty)?,
            Some(array) if array.layout == Layout::Bytes => arrays::copy(e, operand, None)?,
            _ => operand,
        });
    }
    let none = TypedType::None.to_type(e.context());
    objects::call_native(e, kernel, &inputs, none);
    Ok(inputs[0])
}

fn unsupported(lhs: Val, rhs: Val) -> Stop {
    Stop::issue(format!(
        "the product of ({}) is not supported",
        display_list([lhs.ty, rhs.ty])
    ))
    .hint("there are products of vectors and matrices of numbers")
}

/// A loop over `0..count` that carries one value: `body` gives the next one.
fn accumulate<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    count: Val<'c, 'a>,
    start: Val<'c, 'a>,
    body: impl Fn(&mut Emit<'_, 'c, 'a>, Val<'c, 'a>, Val<'c, 'a>) -> Typing<Val<'c, 'a>>,
) -> Typing<Val<'c, 'a>> {
    let index = Type::index(e.context());
    let known = Val::new;
    let zero = e.int_of(0, index);
    let one = e.int_of(1, index);
    let count = e.cast(count, index);
    let Some(builder) = e.builder else {
        return body(e, known(index, None), known(start.ty, None));
    };
    let counted = scf::For::create(
        builder,
        zero.ir(),
        count.ir(),
        one.ir(),
        &[start.ir()],
        &[start.ty],
    );
    let block = builder.append_block(counted.region(), &[index, start.ty]);
    builder.at_start(block);
    let [position, before] = [0, 1].map(|argument| Some(block.argument_value(argument)));
    let next = body(e, known(index, position), known(start.ty, before))?;
    scf::Yield::create(builder, &[next.ir()]);
    builder.after(*counted);
    Ok(known(start.ty, counted.results().first().copied()))
}

/// The products of each element of one vector with each of another.
fn outer<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [lhs, rhs] = arguments.two()?;
    for operand in [lhs, rhs] {
        let array = array_argument(arguments, operand)?;
        if array_type(array.ty).is_none_or(|array| array.rank != 1) {
            return Err(arguments.no_implementation().hint("pass two vectors"));
        }
    }
    let none = e.none();
    let all = slices::slice(e, none, none, none)?;
    let column = e.tuple(&[all, none]);
    let column = arrays::get_item(e, lhs, column)?;
    arrays::binary(e, PyBinaryKind::Mul, column, rhs)
}

/// The Euclidean norm of a vector, the Frobenius norm of a matrix.
fn norm<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let array = array_argument(arguments, arguments.one()?)?;
    let number = Number::of(elements::element_type(array)).map(Number::to_inexact);
    let Some(number @ Number::Float(_)) = number else {
        return Err(arguments.no_implementation());
    };
    let ty = number.to_type(e.context());
    let squares = elements::elementwise(e, &[array], |e, elements| {
        let element = e.cast(elements[0], ty);
        binary_element(e, PyBinaryKind::Mul, element, element)
    })?;
    let sum = elements::reduce(e, ReduceKind::Sum, squares, ty);
    unary_element(e, UnaryKind::Sqrt, sum)
}
