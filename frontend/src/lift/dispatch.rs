//! Which family handles which instruction.

use super::{Lifter, refusals};
use crate::{diagnostic::Diagnostic, opcodes::Op};
use pyopt_dialects::enums::{ExtendKind, PyUnaryKind};

impl Lifter<'_, '_> {
    /// Lifts the current instruction.
    pub(super) fn dispatch(&mut self) -> Result<(), Diagnostic> {
        let op = self.instruction.op();
        if self.dispatch_in_frame()? {
            return Ok(());
        }
        match op {
            Op::Nop | Op::Resume | Op::Precall | Op::CopyFreeVars => Ok(()),

            Op::PopTop => self.pop_slot().map(|_| ()),
            Op::PushNull => self.push_null(),
            Op::Copy => self.copy(),
            Op::Swap => self.swap(),
            Op::LoadConst => self.load_constant(),
            Op::LoadFast => self.load_local(),
            Op::StoreFast => self.store_local(),
            Op::DeleteFast => self.delete_local(),

            Op::UnaryPositive => self.unary(PyUnaryKind::Pos),
            Op::UnaryNegative => self.unary(PyUnaryKind::Neg),
            Op::UnaryNot => self.unary(PyUnaryKind::Not),
            Op::UnaryInvert => self.unary(PyUnaryKind::Invert),
            Op::BinaryOp => self.binary(),
            Op::CompareOp => self.compare(),
            Op::IsOp => self.is(),
            Op::ContainsOp => self.contains(),

            Op::BuildTuple => self.build_tuple(),
            Op::BuildList => self.build_list(),
            Op::BuildSet => self.build_set(),
            Op::BuildMap => self.build_map(),
            Op::BuildConstKeyMap => self.build_constant_key_map(),
            Op::BuildString => self.build_string(),
            Op::FormatValue => self.format_value(),
            Op::ListToTuple => self.list_to_tuple(),
            Op::ListAppend => self.extend(ExtendKind::ListAppend),
            Op::ListExtend => self.extend(ExtendKind::ListExtend),
            Op::SetAdd => self.extend(ExtendKind::SetAdd),
            Op::SetUpdate => self.extend(ExtendKind::SetUpdate),
            Op::DictUpdate => self.extend(ExtendKind::DictUpdate),
            Op::DictMerge => self.extend(ExtendKind::DictMerge),
            Op::MapAdd => self.map_add(),
            Op::UnpackSequence => self.unpack(),
            Op::UnpackEx => self.unpack_starred(),

            Op::LoadMethod => self.load_method(),
            Op::KwNames => self.keyword_names(),
            Op::Call => self.call(),
            Op::CallFunctionEx => self.call_starred(),
            Op::MakeFunction => self.make_function(),

            Op::LoadAttr => self.load_attribute(),
            Op::StoreAttr => self.store_attribute(),
            Op::DeleteAttr => self.delete_attribute(),
            Op::BinarySubscr => self.load_item(),
            Op::StoreSubscr => self.store_item(),
            Op::DeleteSubscr => self.delete_item(),
            Op::BuildSlice => self.build_slice(),

            Op::LoadGlobal => self.load_global(),
            Op::StoreGlobal => self.store_global(),
            Op::LoadAssertionError => self.load_assertion_error(),
            Op::ImportName => self.import(),
            Op::ImportFrom => self.import_from(),
            Op::MakeCell => self.make_cell(),
            Op::LoadClosure => self.load_closure(),
            Op::LoadDeref => self.load_cell(),
            Op::StoreDeref => self.store_cell(),

            Op::GetIter => self.get_iterator(),
            Op::ForIter => self.for_iterator(),
            Op::Jump => self.fall_through(),
            Op::PopJumpIfFalse => self.branch_on_truth(false),
            Op::PopJumpIfTrue => self.branch_on_truth(true),
            Op::PopJumpIfNone => self.branch_on_none(true),
            Op::PopJumpIfNotNone => self.branch_on_none(false),
            Op::JumpIfFalseOrPop => self.branch_or_pop(false),
            Op::JumpIfTrueOrPop => self.branch_or_pop(true),
            Op::ReturnValue => self.return_value(),
            Op::RaiseVarargs => self.raise(),

            _ => Err(refusals::unsupported(self.code, self.instruction)),
        }
    }
}
