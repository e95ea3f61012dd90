//! Which family handles which instruction.

use super::Lifter;
use crate::{diagnostic::Diagnostic, opcodes::Op};
use pyopt_dialects::{
    enums::{ExtendKind, PyUnaryKind},
    ops::py,
};

impl Lifter<'_, '_> {
    /// Lifts the current instruction.
    pub(super) fn dispatch(&mut self) -> Result<(), Diagnostic> {
        let op = self.instruction.op();
        if self.dispatch_in_frame()? {
            return Ok(());
        }
        match op {
            Op::Nop
            | Op::Resume
            | Op::Precall
            | Op::CopyFreeVars
            | Op::SetupFinally
            | Op::SetupWith
            | Op::PopBlock => Ok(()),
            Op::Cache
            | Op::ExtendedArg
            | Op::CallFunctionKw
            | Op::CallKw
            | Op::CallSuper
            | Op::ConvertValue
            | Op::IsNotNone
            | Op::LoadFastOrCell
            | Op::LoadSpecial
            | Op::MakeNamedFunction
            | Op::SetFunctionAttribute
            | Op::YieldFrom => Err(self.malformed("no instruction by itself")),

            Op::PopTop => self.pop_slot().map(|_| ()),
            Op::PushNull => self.push_null(),
            Op::Copy => self.copy(),
            Op::Swap => self.swap(),
            Op::LoadConst | Op::LoadSmallInt => self.load_constant(),
            Op::LoadCommonConstant => self.load_common_constant(),
            Op::LoadFast => self.load_local(),
            Op::StoreFast => self.store_local(),
            Op::DeleteFast => self.delete_local(),
            Op::LoadFastAndClear => self.save_local(),
            Op::RestoreFast => self.restore_local(),
            Op::ClearFast => self.clear_local(),
            Op::ForgetFast => self.forget_local(),

            Op::ToBool => self.test_truth(),
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
            Op::Call => self.call(true),
            Op::CallFunction => self.call(false),
            Op::CallFunctionEx => self.call_starred(true),
            Op::CallUnmarkedEx => self.call_starred(false),
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
            Op::DeleteGlobal => self.delete_global(),
            Op::LoadBuildClass => self.load_build_class(),
            Op::LoadAssertionError => self.load_assertion_error(),
            Op::ImportName => self.import(),
            Op::ImportFrom => self.import_from(),
            Op::MakeCell => self.make_cell(),
            Op::LoadClosure => self.load_closure(),
            Op::LoadDeref => self.load_cell(),
            Op::StoreDeref => self.store_cell(),
            Op::DeleteDeref => self.delete_cell(),

            Op::GetIter => self.get_iterator(),
            Op::ForIter => self.for_iterator(0),
            Op::ForIterIndexed => self.for_iterator(1),
            Op::Jump => self.fall_through(),
            Op::PopJumpIfFalse => self.branch_on_truth(false),
            Op::PopJumpIfTrue => self.branch_on_truth(true),
            Op::PopJumpIfNone => self.branch_on_none(true),
            Op::PopJumpIfNotNone => self.branch_on_none(false),
            Op::JumpIfFalseOrPop => self.branch_or_pop(false),
            Op::JumpIfTrueOrPop => self.branch_or_pop(true),
            Op::ReturnValue => self.return_value(),
            Op::ReturnConst => {
                self.load_constant()?;
                self.return_value()
            }
            Op::RaiseVarargs => {
                let operands = self.pop_many(self.instruction.index())?;
                self.raise(&operands)
            }
            Op::Reraise => {
                let exception = self.pop()?;
                self.reraise(exception);
                Ok(())
            }

            Op::CleanupThrow | Op::StopIterationError => {
                Err(self.malformed("only a handler of a generator's exceptions has it"))
            }
            Op::PushExcInfo => self.push_exception_info(),
            Op::PopExcept => self.consume(py::PopExcept::create),
            Op::CheckExcMatch => self.check_exception_match(),
            Op::CheckEgMatch => self.check_group_match(),
            Op::PrepReraiseStar => self.prepare_reraise_star(),
            Op::BeforeWith => self.enter(),
            Op::BeforeAsyncWith => self.enter_async(),
            Op::WithExceptStart => self.with_exception_start(),

            Op::ReturnGenerator => self.return_generator(),
            Op::YieldValue => self.yield_value(),
            Op::Send => self.send(0),
            Op::SendIndexed => self.send(1),
            Op::GetYieldFromIter => self.get_yield_from_iterator(),
            Op::GetAwaitable => self.get_awaitable(),
            Op::GetAiter => self.convert(|at, value| py::GetAiter::create(at, value).result()),
            Op::GetAnext => self.get_anext(),
            Op::EndAsyncFor => self.end_async_for(),
            Op::AsyncGenWrap => {
                self.convert(|at, value| py::AsyncGenWrap::create(at, value).result())
            }

            Op::GetLen => self.get_length(),
            Op::MatchMapping => {
                self.match_kind(|at, value| py::MatchMapping::create(at, value).matches())
            }
            Op::MatchSequence => {
                self.match_kind(|at, value| py::MatchSequence::create(at, value).matches())
            }
            Op::MatchKeys => self.match_keys(),
            Op::MatchClass => self.match_class(),

            Op::LoadName => self.load_name(),
            Op::StoreName => self.store_name(),
            Op::DeleteName => self.delete_name(),
            Op::LoadClassDeref => self.load_class_cell(),
            Op::LoadLocals => self.load_locals(),
            Op::LoadFromDictOrGlobals => self.load_name_from(),
            Op::LoadFromDictOrDeref => self.load_cell_from(),
            Op::Intrinsic => self.intrinsic(),
            Op::SetupAnnotations => self.setup_annotations(),
            Op::ImportStar => self.import_star(),
            Op::PrintExpr => self.consume(py::PrintExpr::create),
        }
    }
}
