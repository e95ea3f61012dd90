//! Operators, comparisons and truth values.

use super::{
    emit::Compare,
    function::{Function, Held},
    references,
};
use crate::infra::{OperationAttributes, OperationExt, PassResult, ValueExt};
use melior::ir::{Attribute, OperationRef, Value, operation::OperationLike};
use pyopt_dialects::enums::{PyBinaryKind, PyCompareKind, PyUnaryKind};
use pyopt_frontend::frame_311::frame;

/// Whether an operation's result is only used by the next one, together with which it is lowered:
/// a question whose truth is asked for, or `x += y` that is stored in `x` again.
pub(super) fn is_fused(operation: OperationRef) -> bool {
    let name = operation.full_name();
    if name == "py.inplace" {
        return adds_to_local(operation);
    }
    let negation = || {
        let kind = operation.attr("kind").and_then(PyUnaryKind::from_attribute);
        name == "py.unary" && kind == Some(PyUnaryKind::Not)
    };
    if !matches!(name, "py.compare" | "py.contains" | "py.is" | "py.bool") && !negation() {
        return false;
    }
    // A comparison's operands go before its result, which may be any object, is asked for its truth.
    let keeps_operands = || {
        !operation
            .operand_values()
            .into_iter()
            .any(references::is_owned)
    };
    only_user(operation).is_some_and(|user| user.is("py.truth"))
        && (name != "py.compare" || keeps_operands())
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
fn adds_to_local(operation: OperationRef) -> bool {
    let kind = operation
        .attr("kind")
        .and_then(PyBinaryKind::from_attribute);
    let lhs = operation.operand_value(0);
    let (Some(store), Some(load)) = (only_user(operation), lhs.defined_by("py.load_local")) else {
        return false;
    };
    kind == Some(PyBinaryKind::Add)
        && store.is("py.store_local")
        && store.int_attr("index") == load.int_attr("index")
        && lhs.users().len() == 1
        && references::is_borrowed_load(load)
}

impl<'c: 'a, 'a> Function<'_, 'c, 'a> {
    pub(super) fn lower_operator(&mut self, name: &str) -> PassResult<bool> {
        match name {
            "py.unary" => self.unary()?,
            "py.binary" => self.binary("binary")?,
            "py.inplace" => self.binary("inplace")?,
            "py.compare" => self.compare()?,
            "py.contains" => {
                let (item, container) = (self.operand(0), self.operand(1));
                self.mark();
                let status = self.call_status("contains", &[item, container]);
                self.truth_of(status);
            }
            "py.is" => {
                let same = self
                    .e
                    .compare(Compare::Eq, self.operand(0), self.operand(1));
                self.release_operands();
                self.answer(same);
            }
            "py.bool" => {
                let operand = self.operation().operand_value(0);
                let Held::Flag(flag) = self.held(operand) else {
                    return Err(self.error("a truth value is needed"));
                };
                self.answer(flag);
            }
            "py.truth" => self.truth(),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn kind(&self) -> PassResult<Attribute<'c>> {
        self.required("kind", self.operation().attr("kind"))
    }

    fn unary(&mut self) -> PassResult {
        let kind = PyUnaryKind::from_attribute(self.kind()?);
        let kind = self.required("kind", kind)?;
        let operand = self.operand(0);
        if kind != PyUnaryKind::Not {
            self.make(&format!("unary_{}", kind.name()), &[operand]);
            return Ok(());
        }
        self.mark();
        let status = self.call_status("truth", &[operand]);
        self.fail_if_negative(status, true);
        self.release_operands();
        let zero = self.e.number(32, 0);
        let negated = self.e.compare(Compare::Eq, status, zero);
        self.answer(negated);
        Ok(())
    }

    fn binary(&mut self, family: &str) -> PassResult {
        let kind = PyBinaryKind::from_attribute(self.kind()?);
        let kind = self.required("kind", kind)?;
        let (lhs, rhs) = (self.operand(0), self.operand(1));
        if !self.is_fused(self.operation().result_value(0)) {
            self.make(&format!("{family}_{}", kind.name()), &[lhs, rhs]);
            return Ok(());
        }
        let store = self.operation().next_in_block();
        let index = store.and_then(|store| store.int_attr("index"));
        let index = self.required("index", index)?;
        let slot = frame::LOCALS + 8 * index as usize;
        let slot = self.e.address(self.parameters.frame, slot);
        self.perform("add_to_local", &[slot, rhs]);
        Ok(())
    }

    fn compare(&mut self) -> PassResult {
        let kind = PyCompareKind::from_attribute(self.kind()?);
        let kind = self.required("kind", kind)?;
        let number = self.e.number(32, kind as i64);
        let operands = [self.operand(0), self.operand(1), number];
        if !self.is_fused(self.operation().result_value(0)) {
            self.make("compare", &operands);
            return Ok(());
        }
        self.mark();
        let status = self.call_status("compare_truth", &operands);
        self.fail_if_negative(status, true);
        self.release_operands();
        let flag = self.flag(status);
        self.hold(self.operation().result_value(0), Held::Flag(flag));
        Ok(())
    }

    /// The answer of a question that may have raised, or its opposite where that is asked.
    fn truth_of(&mut self, status: Value<'c, 'a>) {
        self.fail_if_negative(status, true);
        self.release_operands();
        let flag = self.flag(status);
        self.answer(flag);
    }

    /// Takes a truth value as the operation's result: itself where only that is asked for, else
    /// True or False.
    fn answer(&mut self, flag: Value<'c, 'a>) {
        let operation = self.operation();
        let flag = match operation.flag_attr("negated") {
            true => {
                let one = self.e.number(1, 1);
                self.e.binary("llvm.xor", flag, one)
            }
            false => flag,
        };
        let result = operation.result_value(0);
        if self.is_fused(result) {
            return self.hold(result, Held::Flag(flag));
        }
        let (yes, no) = (self.boolean(true), self.boolean(false));
        let object = self.e.select(flag, yes, no);
        self.acquire(object);
        self.own(result, object);
    }

    fn truth(&mut self) {
        let operation = self.operation();
        let operand = operation.operand_value(0);
        let flag = match self.held(operand) {
            Held::Flag(flag) => flag,
            _ => {
                let operand = self.operand(0);
                self.mark();
                let status = self.call_status("truth", &[operand]);
                self.fail_if_negative(status, true);
                self.release_operands();
                self.flag(status)
            }
        };
        self.hold(operation.result_value(0), Held::Flag(flag));
    }
}
