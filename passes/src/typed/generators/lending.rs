//! Generators that lend what they yield.
//!
//! A generator that yields views of its arguments (`for row in rows(a)`, `np.nditer(a)`) gives a reference with each
//! of them. Where the function that makes the generator keeps the arguments and those that resume it are done
//! with an item before they let the generator go, the arguments' own references keep the items alive.

use super::maker::Maker;
use crate::{
    analysis::ownership::{BORROWED, owns},
    infra::{
        OperationAttributes, OperationExt, OperationInterfaces, ValueExt,
        ops::{AnyOp, func, scf, typed, ub},
    },
};
use melior::ir::{OperationRef, Type, Value, operation::OperationLike};

/// Takes the references out of what a generator yields. Says whether it did: all values that its resume function
/// gives must be views of its arguments, and all that resume it must release items in time.
pub(super) fn lend<'c: 'a, 'a>(module: OperationRef<'c, 'a>, maker: &Maker<'c, 'a>) -> bool {
    let Some(resume) = maker.resume(module).and_then(func::Func::of) else {
        return false;
    };
    let generator = maker.new.result().ty();
    let calls: Vec<_> = module
        .nested_ops::<typed::Call>()
        .into_iter()
        .filter(|call| call.callee() == resume.sym_name())
        .collect();
    let Some(item) = calls.first().map(|call| call.results()[0].ty()) else {
        return false;
    };
    if !owns(item) || !yields_views(resume, item) {
        return false;
    }
    let Some(uses) = calls
        .iter()
        .map(|call| Use::of(*call, generator))
        .collect::<Option<Vec<_>>>()
    else {
        return false;
    };
    for one in uses {
        one.borrow();
    }
    for operation in resume.pre_order() {
        let counted = match AnyOp::of(operation) {
            AnyOp::Typed(typed::Op::Acquire(acquire)) => Some(acquire.value()),
            AnyOp::Typed(typed::Op::Release(release)) => Some(release.value()),
            _ => None,
        };
        match counted {
            Some(value) if value.ty() == item => operation.erase(),
            _ => operation.retain_released(|value| value.ty() != item),
        }
    }
    true
}

/// Whether all values of the type of a resume function's result are nothing, or views of the arguments.
fn yields_views<'c: 'a, 'a>(resume: func::Func<'c, 'a>, item: Type<'c>) -> bool {
    let operations = resume.pre_order();
    let defines_views = |operation: &OperationRef<'c, 'a>| {
        let mut results = operation.result_values().into_iter();
        if results.all(|result| result.ty() != item) {
            return true;
        }
        match AnyOp::of(*operation) {
            AnyOp::Typed(typed::Op::Unbound(_)) | AnyOp::Ub(ub::Op::Poison(_)) | AnyOp::Scf(_) => {
                true
            }
            AnyOp::Typed(typed::Op::Bind(bind)) => is_view(bind.value()),
            _ => false,
        }
    };
    let hands_on = |operation: &OperationRef<'c, 'a>| {
        let mut operands = operation.operand_values().into_iter();
        operands.all(|operand| operand.ty() != item)
            || operation.is_terminator()
            || operation.isa::<typed::Acquire>()
            || operation.isa::<typed::Release>()
            || operation.isa::<scf::While>()
            || operation.released_operands().is_some()
    };
    operations.iter().all(defines_views) && operations.iter().all(hands_on)
}

/// Whether a value refers to memory of a generator's arguments alone, without a reference of its own.
fn is_view(value: Value) -> bool {
    if !owns(value.ty()) {
        return true;
    }
    let Some(operation) = value.defining_op() else {
        return false;
    };
    match AnyOp::of(operation) {
        AnyOp::Typed(typed::Op::GeneratorLoad(load)) => load.flag_attr(BORROWED),
        AnyOp::Typed(typed::Op::View(_) | typed::Op::Tuple(_) | typed::Op::TupleGet(_)) => {
            operation.operand_values().into_iter().all(is_view)
        }
        _ => false,
    }
}

/// An item that a generator gave, and where it is released.
struct Use<'c, 'a> {
    item: Value<'c, 'a>,
    release: typed::Release<'c, 'a>,
    between: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Use<'c, 'a> {
    /// Finds the release in the block of the call. No generator of the type may be let go before it.
    fn of(call: typed::Call<'c, 'a>, generator: Type<'c>) -> Option<Self> {
        let item = call.results()[0];
        let releases: Vec<_> = item
            .users()
            .into_iter()
            .filter_map(typed::Release::of)
            .collect();
        let [release] = releases[..] else {
            return None;
        };
        let following = std::iter::successors(call.next_in_block(), |one| one.next_in_block());
        let between: Vec<_> = following.take_while(|one| *one != *release).collect();
        let in_block = release.parent_block() == call.parent_block();
        let lets_go = |operation: OperationRef<'c, 'a>| {
            typed::Release::of(operation).is_some_and(|one| one.value().ty() == generator)
        };
        let kept = !between
            .iter()
            .any(|operation| operation.pre_order().into_iter().any(lets_go));
        (in_block && kept).then_some(Self {
            item,
            release,
            between,
        })
    }

    /// Leaves the reference to the generator's arguments.
    fn borrow(self) {
        for operation in self.between {
            for inner in operation.pre_order() {
                inner.retain_released(|value| value != self.item);
            }
        }
        self.release.erase();
    }
}
