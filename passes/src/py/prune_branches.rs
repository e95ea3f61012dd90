//! `py-prune-branches`: removes branches that are never taken.
//!
//! Numba's `DeadBranchPrune`: a condition is decided by constants, and by arguments whose type says
//! whether they are None. Blocks that nothing leads to any more go, so inference doesn't type what
//! makes no sense for these arguments. Arguments of blocks that have one value only go too: the
//! value may be a constant that decides the next branch.

use super::{
    bindings::{Bindings, erase_known},
    blocks::erase_unreachable,
    fixup_args::{argument_type, known_value},
    single_values::remove_single_valued_arguments,
};
use crate::infra::{
    AttributeExt, BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec,
    StatisticSpec, ValueExt,
    ops::{AnyOp, arith, cf, py},
};
use melior::ir::{Attribute, OperationRef, Value};
use pyopt_dialects::{
    enums::{PyCompareKind, PyUnaryKind},
    py::PyAttribute,
    typed::TypedType,
};

/// Dead-branch pruning.
pub static PASS: PassSpec = PassSpec {
    description: "A branch goes one way where its condition is a constant, compares constants, or \
                  asks whether an argument is None whose type says so (`py-fixup-args`). Blocks \
                  that can't be reached are removed, and arguments of blocks with one value only.",
    dialects: &["py", "cf"],
    statistics: &[StatisticSpec::new("pruned", "branches that go one way")],
    ..PassSpec::new(
        "py-prune-branches",
        "remove branches that are never taken",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let bindings = Bindings::read(cx.context(), root);
    let builder = Builder::new(cx.context(), root);
    let module = root
        .nested_blocks()
        .into_iter()
        .flat_map(BlockExt::operation_list);
    for function in module.filter_map(py::Func::of) {
        while prune(cx, &builder, &bindings, function) {
            erase_unreachable(function);
            remove_single_valued_arguments(function);
        }
    }
    Ok(())
}

/// Has the decided branches of a function go one way; whether there was one.
fn prune<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    bindings: &Bindings<'c, 'a>,
    function: py::Func<'c, 'a>,
) -> bool {
    let mut changed = false;
    for block in function.nested_blocks() {
        let Some(branch) = block.terminator_op().and_then(cf::CondBranch::of) else {
            continue;
        };
        let condition = branch.condition();
        let Some(taken) = decide(bindings, condition) else {
            continue;
        };
        let (target, passed) = match taken {
            true => (branch.true_dest(), branch.true_dest_operands()),
            false => (branch.false_dest(), branch.false_dest_operands()),
        };
        cf::Branch::create(builder.before(*branch), &passed, target);
        branch.erase();
        erase_known([condition]);
        cx.bump("pruned", 1);
        changed = true;
    }
    changed
}

/// The truth of a branch's condition where it is known.
fn decide<'c: 'a, 'a>(bindings: &Bindings<'c, 'a>, condition: Value<'c, 'a>) -> Option<bool> {
    match AnyOp::of(condition.defining_op()?) {
        AnyOp::Arith(arith::Op::Constant(constant)) => constant.value().bool_value(),
        AnyOp::Py(py::Op::Truth(test)) => truth(bindings, test.operand()),
        _ => None,
    }
}

fn truth<'c: 'a, 'a>(bindings: &Bindings<'c, 'a>, value: Value<'c, 'a>) -> Option<bool> {
    if let Some(constant) = known_value(bindings, value) {
        return truth_of_constant(constant);
    }
    let Some(operation) = value.defining_op() else {
        // An argument: None is false, of other types nothing is known.
        return is_none(bindings, value)?.then_some(false);
    };
    match py::Op::of(operation)? {
        py::Op::Is(test) => {
            let same = compare_with_none(bindings, [test.lhs(), test.rhs()])?;
            Some(same != test.negated())
        }
        py::Op::Unary(unary) => {
            let operand = truth(bindings, unary.operand());
            operand
                .filter(|_| unary.kind() == PyUnaryKind::Not)
                .map(|value| !value)
        }
        py::Op::Compare(test) => {
            let sides = [test.lhs(), test.rhs()];
            if let [Some(lhs), Some(rhs)] = sides.map(|side| known_value(bindings, side))
                && let Some(result) = compare(test.kind(), lhs, rhs)
            {
                return Some(result);
            }
            let same = compare_with_none(bindings, sides)?;
            match test.kind() {
                PyCompareKind::Eq => Some(same),
                PyCompareKind::Ne => Some(!same),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether two operands are the same, where one of them is None.
fn compare_with_none<'c: 'a, 'a>(
    bindings: &Bindings<'c, 'a>,
    [lhs, rhs]: [Value<'c, 'a>; 2],
) -> Option<bool> {
    let lhs = is_none(bindings, lhs)?;
    let rhs = is_none(bindings, rhs)?;
    (lhs || rhs).then_some(lhs && rhs)
}

fn is_none<'c: 'a, 'a>(bindings: &Bindings<'c, 'a>, value: Value<'c, 'a>) -> Option<bool> {
    if let Some(constant) = known_value(bindings, value) {
        return Some(PyAttribute::from(constant) == PyAttribute::None);
    }
    if py::BuildTuple::defining(value).is_some() {
        return Some(false);
    }
    match TypedType::from(argument_type(value)?) {
        TypedType::None => Some(true),
        // It may be None at run time.
        TypedType::Optional(_) => None,
        _ => Some(false),
    }
}

fn truth_of_constant(constant: Attribute) -> Option<bool> {
    match PyAttribute::from(constant) {
        PyAttribute::None => Some(false),
        PyAttribute::Ellipsis | PyAttribute::BigInt(_) => Some(true),
        PyAttribute::Bytes(bytes) => Some(!bytes.is_empty()),
        PyAttribute::Other(other) => other
            .bool_value()
            .or_else(|| other.integer_value().map(|value| value != 0))
            .or_else(|| other.float_value().map(|value| value != 0.0))
            .or_else(|| other.string_value().map(|text| !text.is_empty()))
            .or_else(|| other.elements().map(|elements| !elements.is_empty())),
        _ => None,
    }
}

/// Compares two constants of one kind.
fn compare(kind: PyCompareKind, lhs: Attribute, rhs: Attribute) -> Option<bool> {
    let ordering = if let (Some(lhs), Some(rhs)) = (lhs.string_value(), rhs.string_value()) {
        // The order of UTF-8 is that of code points.
        lhs.cmp(rhs)
    } else if let (Some(lhs), Some(rhs)) = (int(lhs), int(rhs)) {
        lhs.cmp(&rhs)
    } else {
        float(lhs)?.partial_cmp(&float(rhs)?)?
    };
    Some(match kind {
        PyCompareKind::Lt => ordering.is_lt(),
        PyCompareKind::Le => ordering.is_le(),
        PyCompareKind::Eq => ordering.is_eq(),
        PyCompareKind::Ne => ordering.is_ne(),
        PyCompareKind::Gt => ordering.is_gt(),
        PyCompareKind::Ge => ordering.is_ge(),
    })
}

/// An int; a truth value is 0 or 1.
fn int(attribute: Attribute) -> Option<i64> {
    let truth = attribute.bool_value().map(i64::from);
    truth.or_else(|| attribute.integer_value())
}

/// A float, or an int that is exactly one.
fn float(attribute: Attribute) -> Option<f64> {
    let exact = |value: i64| (value.unsigned_abs() <= 1 << 53).then_some(value as f64);
    attribute.float_value().or_else(|| exact(int(attribute)?))
}
