//! Operators, comparisons and truth values.

use super::{
    emit::Compare,
    function::{Function, Held},
    references,
};
use crate::infra::{
    OperationExt, PassResult, ValueExt,
    ops::{llvm, py},
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use pyopt_dialects::enums::{PyBinaryKind, PyUnaryKind};

/// Whether an operation's result is only used by the next one, together with which it is lowered:
/// a question whose truth is asked for, or `x += y` that is stored in `x` again.
pub(super) fn is_fused(operation: OperationRef) -> bool {
    match py::Op::of(operation) {
        Some(py::Op::Inplace(inplace)) => adds_to_local(inplace),
        // A comparison's operands go before its result, which may be any object, is asked for its
        // truth.
        Some(py::Op::Compare(compare)) => {
            is_asked_for_truth(operation)
                && ![compare.lhs(), compare.rhs()]
                    .into_iter()
                    .any(references::is_owned)
        }
        Some(py::Op::Unary(unary)) => {
            unary.kind() == PyUnaryKind::Not && is_asked_for_truth(operation)
        }
        Some(py::Op::Contains(_) | py::Op::Is(_) | py::Op::Bool(_)) => {
            is_asked_for_truth(operation)
        }
        _ => false,
    }
}

fn is_asked_for_truth(operation: OperationRef) -> bool {
    only_user(operation).is_some_and(|user| user.isa::<py::Truth>())
}

/// The next operation, if it alone uses the operation's result.
fn only_user<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let [user] = operation.result_value(0).users()[..] else {
        return None;
    };
    (operation.next_in_block() == Some(user)).then_some(user)
}

/// Whether an in-place addition replaces the local that is its left operand. A string that only
/// the local holds can then grow where it is.
fn adds_to_local(inplace: py::Inplace) -> bool {
    let lhs = inplace.lhs();
    let store = only_user(*inplace).and_then(py::StoreLocal::of);
    let (Some(store), Some(load)) = (store, py::LoadLocal::defining(lhs)) else {
        return false;
    };
    inplace.kind() == PyBinaryKind::Add
        && store.index() == load.index()
        && lhs.users().len() == 1
        && references::is_borrowed_load(load)
}

impl<'c: 'a, 'a> Function<'_, 'c, 'a> {
    pub(super) fn lower_operator(&mut self, operation: py::Op<'c, 'a>) -> PassResult<bool> {
        match operation {
            py::Op::Unary(unary) => self.unary(unary),
            py::Op::Binary(binary) => {
                let operands = [self.pointer(binary.lhs()), self.pointer(binary.rhs())];
                self.make(&format!("binary_{}", binary.kind().name()), &operands);
            }
            py::Op::Inplace(inplace) => self.inplace(inplace)?,
            py::Op::Compare(compare) => self.compare(compare),
            py::Op::Contains(contains) => {
                let item = self.pointer(contains.item());
                let container = self.pointer(contains.container());
                self.mark();
                let status = self.call_status("contains", &[item, container]);
                self.fail_if_negative(status, true);
                self.release_operands();
                let flag = self.flag(status);
                let flag = self.negated_if(contains.negated(), flag);
                self.answer(contains.result(), flag);
            }
            py::Op::Is(is) => {
                let (lhs, rhs) = (self.pointer(is.lhs()), self.pointer(is.rhs()));
                let same = self.e.compare(Compare::Eq, lhs, rhs);
                self.release_operands();
                let flag = self.negated_if(is.negated(), same);
                self.answer(is.result(), flag);
            }
            py::Op::Bool(bool) => {
                let Held::Flag(flag) = self.held(bool.value()) else {
                    return Err(self.error("a truth value is needed"));
                };
                self.answer(bool.result(), flag);
            }
            py::Op::Truth(truth) => self.truth(truth),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn unary(&mut self, unary: py::Unary<'c, 'a>) {
        let operand = self.pointer(unary.operand());
        if unary.kind() != PyUnaryKind::Not {
            return self.make(&format!("unary_{}", unary.kind().name()), &[operand]);
        }
        self.mark();
        let status = self.call_status("truth", &[operand]);
        self.fail_if_negative(status, true);
        self.release_operands();
        let zero = self.e.number(32, 0);
        let negated = self.e.compare(Compare::Eq, status, zero);
        self.answer(unary.result(), negated);
    }

    fn inplace(&mut self, inplace: py::Inplace<'c, 'a>) -> PassResult {
        let (lhs, rhs) = (self.pointer(inplace.lhs()), self.pointer(inplace.rhs()));
        if !self.is_fused(inplace.result()) {
            self.make(&format!("inplace_{}", inplace.kind().name()), &[lhs, rhs]);
            return Ok(());
        }
        let store = inplace.next_in_block().and_then(py::StoreLocal::of);
        let store = store.ok_or_else(|| self.error("a local is needed behind"))?;
        let slot = references::local_offset(store.index());
        let slot = self.e.address(self.parameters.frame, slot);
        self.perform("add_to_local", &[slot, rhs]);
        Ok(())
    }

    fn compare(&mut self, compare: py::Compare<'c, 'a>) {
        let number = self.e.number(32, compare.kind() as i64);
        let (lhs, rhs) = (self.pointer(compare.lhs()), self.pointer(compare.rhs()));
        let operands = [lhs, rhs, number];
        if !self.is_fused(compare.result()) {
            return self.make("compare", &operands);
        }
        self.mark();
        let status = self.call_status("compare_truth", &operands);
        self.fail_if_negative(status, true);
        self.release_operands();
        let flag = self.flag(status);
        self.hold(compare.result(), Held::Flag(flag));
    }

    /// A truth value, or its opposite where that is asked.
    fn negated_if(&self, negated: bool, flag: Value<'c, 'a>) -> Value<'c, 'a> {
        if !negated {
            return flag;
        }
        let one = self.e.number(1, 1);
        self.e.binary(llvm::XOr::NAME, flag, one)
    }

    /// Takes a truth value as a result: itself where only that is asked for, else True or False.
    fn answer(&mut self, result: Value<'c, 'a>, flag: Value<'c, 'a>) {
        if self.is_fused(result) {
            return self.hold(result, Held::Flag(flag));
        }
        let (yes, no) = (self.boolean(true), self.boolean(false));
        let object = self.e.select(flag, yes, no);
        self.acquire(object);
        self.own(result, object);
    }

    fn truth(&mut self, truth: py::Truth<'c, 'a>) {
        let flag = match self.held(truth.operand()) {
            Held::Flag(flag) => flag,
            _ => {
                let operand = self.pointer(truth.operand());
                self.mark();
                let status = self.call_status("truth", &[operand]);
                self.fail_if_negative(status, true);
                self.release_operands();
                self.flag(status)
            }
        };
        self.hold(truth.result(), Held::Flag(flag));
    }
}
