//! The module `operator`: Python's operators as functions.

use super::table::Table;
use crate::inference::{arguments::Arguments, emit::Emit, issue::Typing, rules, val::Val};
use pyopt_dialects::enums::{PyBinaryKind, PyCompareKind, PyUnaryKind};

/// The functions.
pub(super) const FUNCTIONS: Table = &[
    ("operator.add", |e, x| binary(e, x, PyBinaryKind::Add)),
    ("operator.sub", |e, x| binary(e, x, PyBinaryKind::Sub)),
    ("operator.mul", |e, x| binary(e, x, PyBinaryKind::Mul)),
    ("operator.truediv", |e, x| {
        binary(e, x, PyBinaryKind::TrueDiv)
    }),
    ("operator.floordiv", |e, x| {
        binary(e, x, PyBinaryKind::FloorDiv)
    }),
    ("operator.mod", |e, x| binary(e, x, PyBinaryKind::Mod)),
    ("operator.pow", |e, x| binary(e, x, PyBinaryKind::Pow)),
    ("operator.matmul", |e, x| binary(e, x, PyBinaryKind::MatMul)),
    ("operator.and_", |e, x| binary(e, x, PyBinaryKind::And)),
    ("operator.or_", |e, x| binary(e, x, PyBinaryKind::Or)),
    ("operator.xor", |e, x| binary(e, x, PyBinaryKind::Xor)),
    ("operator.lshift", |e, x| binary(e, x, PyBinaryKind::LShift)),
    ("operator.rshift", |e, x| binary(e, x, PyBinaryKind::RShift)),
    ("operator.concat", |e, x| binary(e, x, PyBinaryKind::Add)),
    ("operator.iadd", |e, x| inplace(e, x, PyBinaryKind::Add)),
    ("operator.isub", |e, x| inplace(e, x, PyBinaryKind::Sub)),
    ("operator.imul", |e, x| inplace(e, x, PyBinaryKind::Mul)),
    ("operator.itruediv", |e, x| {
        inplace(e, x, PyBinaryKind::TrueDiv)
    }),
    ("operator.ifloordiv", |e, x| {
        inplace(e, x, PyBinaryKind::FloorDiv)
    }),
    ("operator.imod", |e, x| inplace(e, x, PyBinaryKind::Mod)),
    ("operator.ipow", |e, x| inplace(e, x, PyBinaryKind::Pow)),
    ("operator.imatmul", |e, x| {
        inplace(e, x, PyBinaryKind::MatMul)
    }),
    ("operator.iand", |e, x| inplace(e, x, PyBinaryKind::And)),
    ("operator.ior", |e, x| inplace(e, x, PyBinaryKind::Or)),
    ("operator.ixor", |e, x| inplace(e, x, PyBinaryKind::Xor)),
    ("operator.ilshift", |e, x| {
        inplace(e, x, PyBinaryKind::LShift)
    }),
    ("operator.irshift", |e, x| {
        inplace(e, x, PyBinaryKind::RShift)
    }),
    ("operator.lt", |e, x| compare(e, x, PyCompareKind::Lt)),
    ("operator.le", |e, x| compare(e, x, PyCompareKind::Le)),
    ("operator.eq", |e, x| compare(e, x, PyCompareKind::Eq)),
    ("operator.ne", |e, x| compare(e, x, PyCompareKind::Ne)),
    ("operator.gt", |e, x| compare(e, x, PyCompareKind::Gt)),
    ("operator.ge", |e, x| compare(e, x, PyCompareKind::Ge)),
    ("operator.neg", |e, x| unary(e, x, PyUnaryKind::Neg)),
    ("operator.pos", |e, x| unary(e, x, PyUnaryKind::Pos)),
    ("operator.inv", |e, x| unary(e, x, PyUnaryKind::Invert)),
    ("operator.invert", |e, x| unary(e, x, PyUnaryKind::Invert)),
    ("operator.not_", |e, x| unary(e, x, PyUnaryKind::Not)),
    ("operator.truth", |e, x| rules::truth(e, x.one()?)),
    ("operator.is_", |e, x| identity(e, x, false)),
    ("operator.is_not", |e, x| identity(e, x, true)),
    ("operator.contains", |e, x| {
        let [container, item] = x.two()?;
        rules::contains(e, item, container)
    }),
    ("operator.getitem", |e, x| {
        let [object, index] = x.two()?;
        rules::item(e, object, index)
    }),
    ("operator.setitem", |e, x| match *x.positional.as_slice() {
        [object, index, value] => {
            rules::set_item(e, object, index, value)?;
            Ok(e.none())
        }
        _ => Err(x.wrong_count("three arguments")),
    }),
];

fn binary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: PyBinaryKind,
) -> Typing<Val<'c, 'a>> {
    let [lhs, rhs] = arguments.two()?;
    rules::binary(e, kind, lhs, rhs)
}

fn inplace<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: PyBinaryKind,
) -> Typing<Val<'c, 'a>> {
    let [lhs, rhs] = arguments.two()?;
    rules::inplace(e, kind, lhs, rhs)
}

fn compare<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: PyCompareKind,
) -> Typing<Val<'c, 'a>> {
    let [lhs, rhs] = arguments.two()?;
    rules::compare(e, kind, lhs, rhs)
}

fn unary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: PyUnaryKind,
) -> Typing<Val<'c, 'a>> {
    rules::unary(e, kind, arguments.one()?)
}

fn identity<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    negated: bool,
) -> Typing<Val<'c, 'a>> {
    let [lhs, rhs] = arguments.two()?;
    let same = rules::identity(e, lhs, rhs)?;
    Ok(if negated { e.not(same) } else { same })
}
