//! The opcodes of CPython 3.13.

use crate::{
    opcodes::{
        self, CallMark,
        Meaning::{By, Is},
        Op, OpcodeInfo, OpcodeTable,
        Operand::{Backward, Forward, ForwardPast, Number, Unused},
        Steps, binary_intrinsic, row, super_call, unary_intrinsic,
    },
    tables,
    version::Version,
};

/// The table of CPython 3.13.
pub static TABLE: OpcodeTable = OpcodeTable {
    version: Version::PYTHON_3_13,
    magic: 3571,
    rows: ROWS,
    call_mark: CallMark::Above,
    positions: tables::positions,
    exception_handlers: tables::exception_handlers,
    writers: None,
    binary_operators: opcodes::BINARY_OPERATORS,
    comparisons: opcodes::COMPARISONS,
};

#[rustfmt::skip]
static ROWS: &[OpcodeInfo] = &[
    // number, name, argument, caches, meaning
    row(0,   "CACHE",                     Unused,   0,  Is(Op::Cache)),
    row(1,   "BEFORE_ASYNC_WITH",         Unused,   0,  Is(Op::BeforeAsyncWith)),
    row(2,   "BEFORE_WITH",               Unused,   0,  Is(Op::BeforeWith)),
    row(4,   "BINARY_SLICE",              Unused,   0,  By(|_| Some(vec![(Op::BuildSlice, 2), (Op::BinarySubscr, 0)]))),
    row(5,   "BINARY_SUBSCR",             Unused,   1,  Is(Op::BinarySubscr)),
    row(6,   "CHECK_EG_MATCH",            Unused,   0,  Is(Op::CheckEgMatch)),
    row(7,   "CHECK_EXC_MATCH",           Unused,   0,  Is(Op::CheckExcMatch)),
    row(8,   "CLEANUP_THROW",             Unused,   0,  Is(Op::CleanupThrow)),
    row(9,   "DELETE_SUBSCR",             Unused,   0,  Is(Op::DeleteSubscr)),
    row(10,  "END_ASYNC_FOR",             Unused,   0,  Is(Op::EndAsyncFor)),
    row(11,  "END_FOR",                   Unused,   0,  Is(Op::PopTop)),
    row(12,  "END_SEND",                  Unused,   0,  By(|_| Some(vec![(Op::Swap, 2), (Op::PopTop, 0)]))),
    row(14,  "FORMAT_SIMPLE",             Unused,   0,  By(|_| Some(vec![(Op::FormatValue, 0)]))),
    row(15,  "FORMAT_WITH_SPEC",          Unused,   0,  By(|_| Some(vec![(Op::FormatValue, 4)]))),
    row(16,  "GET_AITER",                 Unused,   0,  Is(Op::GetAiter)),
    row(18,  "GET_ANEXT",                 Unused,   0,  Is(Op::GetAnext)),
    row(19,  "GET_ITER",                  Unused,   0,  Is(Op::GetIter)),
    row(20,  "GET_LEN",                   Unused,   0,  Is(Op::GetLen)),
    row(21,  "GET_YIELD_FROM_ITER",       Unused,   0,  Is(Op::GetYieldFromIter)),
    row(23,  "LOAD_ASSERTION_ERROR",      Unused,   0,  Is(Op::LoadAssertionError)),
    row(24,  "LOAD_BUILD_CLASS",          Unused,   0,  Is(Op::LoadBuildClass)),
    row(25,  "LOAD_LOCALS",               Unused,   0,  Is(Op::LoadLocals)),
    row(26,  "MAKE_FUNCTION",             Unused,   0,  By(|_| Some(vec![(Op::MakeFunction, 0)]))),
    row(27,  "MATCH_KEYS",                Unused,   0,  Is(Op::MatchKeys)),
    row(28,  "MATCH_MAPPING",             Unused,   0,  Is(Op::MatchMapping)),
    row(29,  "MATCH_SEQUENCE",            Unused,   0,  Is(Op::MatchSequence)),
    row(30,  "NOP",                       Unused,   0,  Is(Op::Nop)),
    row(31,  "POP_EXCEPT",                Unused,   0,  Is(Op::PopExcept)),
    row(32,  "POP_TOP",                   Unused,   0,  Is(Op::PopTop)),
    row(33,  "PUSH_EXC_INFO",             Unused,   0,  Is(Op::PushExcInfo)),
    row(34,  "PUSH_NULL",                 Unused,   0,  Is(Op::PushNull)),
    row(35,  "RETURN_GENERATOR",          Unused,   0,  Is(Op::ReturnGenerator)),
    row(36,  "RETURN_VALUE",              Unused,   0,  Is(Op::ReturnValue)),
    row(37,  "SETUP_ANNOTATIONS",         Unused,   0,  Is(Op::SetupAnnotations)),
    row(38,  "STORE_SLICE",               Unused,   0,  By(|_| Some(vec![(Op::BuildSlice, 2), (Op::StoreSubscr, 0)]))),
    row(39,  "STORE_SUBSCR",              Unused,   1,  Is(Op::StoreSubscr)),
    row(40,  "TO_BOOL",                   Unused,   3,  Is(Op::ToBool)),
    row(41,  "UNARY_INVERT",              Unused,   0,  Is(Op::UnaryInvert)),
    row(42,  "UNARY_NEGATIVE",            Unused,   0,  Is(Op::UnaryNegative)),
    row(43,  "UNARY_NOT",                 Unused,   0,  Is(Op::UnaryNot)),
    row(44,  "WITH_EXCEPT_START",         Unused,   0,  Is(Op::WithExceptStart)),
    row(45,  "BINARY_OP",                 Number,   1,  Is(Op::BinaryOp)),
    row(46,  "BUILD_CONST_KEY_MAP",       Number,   0,  Is(Op::BuildConstKeyMap)),
    row(47,  "BUILD_LIST",                Number,   0,  Is(Op::BuildList)),
    row(48,  "BUILD_MAP",                 Number,   0,  Is(Op::BuildMap)),
    row(49,  "BUILD_SET",                 Number,   0,  Is(Op::BuildSet)),
    row(50,  "BUILD_SLICE",               Number,   0,  Is(Op::BuildSlice)),
    row(51,  "BUILD_STRING",              Number,   0,  Is(Op::BuildString)),
    row(52,  "BUILD_TUPLE",               Number,   0,  Is(Op::BuildTuple)),
    row(53,  "CALL",                      Number,   3,  Is(Op::Call)),
    row(54,  "CALL_FUNCTION_EX",          Number,   0,  Is(Op::CallFunctionEx)),
    row(55,  "CALL_INTRINSIC_1",          Number,   0,  By(unary_intrinsic)),
    row(56,  "CALL_INTRINSIC_2",          Number,   0,  By(binary_intrinsic)),
    row(57,  "CALL_KW",                   Number,   0,  Is(Op::CallKw)),
    row(58,  "COMPARE_OP",                Number,   1,  By(comparison)),
    row(59,  "CONTAINS_OP",               Number,   1,  Is(Op::ContainsOp)),
    row(60,  "CONVERT_VALUE",             Number,   0,  Is(Op::ConvertValue)),
    row(61,  "COPY",                      Number,   0,  Is(Op::Copy)),
    row(62,  "COPY_FREE_VARS",            Number,   0,  Is(Op::CopyFreeVars)),
    row(63,  "DELETE_ATTR",               Number,   0,  Is(Op::DeleteAttr)),
    row(64,  "DELETE_DEREF",              Number,   0,  Is(Op::DeleteDeref)),
    row(65,  "DELETE_FAST",               Number,   0,  Is(Op::DeleteFast)),
    row(66,  "DELETE_GLOBAL",             Number,   0,  Is(Op::DeleteGlobal)),
    row(67,  "DELETE_NAME",               Number,   0,  Is(Op::DeleteName)),
    row(68,  "DICT_MERGE",                Number,   0,  Is(Op::DictMerge)),
    row(69,  "DICT_UPDATE",               Number,   0,  Is(Op::DictUpdate)),
    row(71,  "EXTENDED_ARG",              Number,   0,  Is(Op::ExtendedArg)),
    row(72,  "FOR_ITER",                  ForwardPast(&["END_FOR", "POP_TOP"]),1,  Is(Op::ForIter)),
    row(73,  "GET_AWAITABLE",             Number,   0,  Is(Op::GetAwaitable)),
    row(74,  "IMPORT_FROM",               Number,   0,  Is(Op::ImportFrom)),
    row(75,  "IMPORT_NAME",               Number,   0,  Is(Op::ImportName)),
    row(76,  "IS_OP",                     Number,   0,  Is(Op::IsOp)),
    row(77,  "JUMP_BACKWARD",             Backward, 1,  Is(Op::Jump)),
    row(78,  "JUMP_BACKWARD_NO_INTERRUPT",Backward, 0,  Is(Op::Jump)),
    row(79,  "JUMP_FORWARD",              Forward,  0,  Is(Op::Jump)),
    row(80,  "LIST_APPEND",               Number,   0,  Is(Op::ListAppend)),
    row(81,  "LIST_EXTEND",               Number,   0,  Is(Op::ListExtend)),
    row(82,  "LOAD_ATTR",                 Number,   9,  By(|n| Some(marked(n, (Op::LoadAttr, n >> 1))))),
    row(83,  "LOAD_CONST",                Number,   0,  Is(Op::LoadConst)),
    row(84,  "LOAD_DEREF",                Number,   0,  Is(Op::LoadDeref)),
    row(85,  "LOAD_FAST",                 Number,   0,  Is(Op::LoadFastOrCell)),
    row(86,  "LOAD_FAST_AND_CLEAR",       Number,   0,  Is(Op::LoadFastAndClear)),
    row(87,  "LOAD_FAST_CHECK",           Number,   0,  Is(Op::LoadFast)),
    row(88,  "LOAD_FAST_LOAD_FAST",       Number,   0,  By(|n| Some(vec![(Op::LoadFastOrCell, n >> 4), (Op::LoadFastOrCell, n & 15)]))),
    row(89,  "LOAD_FROM_DICT_OR_DEREF",   Number,   0,  Is(Op::LoadFromDictOrDeref)),
    row(90,  "LOAD_FROM_DICT_OR_GLOBALS", Number,   0,  Is(Op::LoadFromDictOrGlobals)),
    row(91,  "LOAD_GLOBAL",               Number,   4,  By(|n| Some(marked(n, (Op::LoadGlobal, n & !1))))),
    row(92,  "LOAD_NAME",                 Number,   0,  Is(Op::LoadName)),
    row(93,  "LOAD_SUPER_ATTR",           Number,   1,  By(super_attribute)),
    row(94,  "MAKE_CELL",                 Number,   0,  Is(Op::MakeCell)),
    row(95,  "MAP_ADD",                   Number,   0,  Is(Op::MapAdd)),
    row(96,  "MATCH_CLASS",               Number,   0,  Is(Op::MatchClass)),
    row(97,  "POP_JUMP_IF_FALSE",         Forward,  1,  Is(Op::PopJumpIfFalse)),
    row(98,  "POP_JUMP_IF_NONE",          Forward,  1,  Is(Op::PopJumpIfNone)),
    row(99,  "POP_JUMP_IF_NOT_NONE",      Forward,  1,  Is(Op::PopJumpIfNotNone)),
    row(100, "POP_JUMP_IF_TRUE",          Forward,  1,  Is(Op::PopJumpIfTrue)),
    row(101, "RAISE_VARARGS",             Number,   0,  Is(Op::RaiseVarargs)),
    row(102, "RERAISE",                   Number,   0,  Is(Op::Reraise)),
    row(103, "RETURN_CONST",              Number,   0,  Is(Op::ReturnConst)),
    row(104, "SEND",                      ForwardPast(&["END_SEND"]),1,  Is(Op::Send)),
    row(105, "SET_ADD",                   Number,   0,  Is(Op::SetAdd)),
    row(106, "SET_FUNCTION_ATTRIBUTE",    Number,   0,  Is(Op::SetFunctionAttribute)),
    row(107, "SET_UPDATE",                Number,   0,  Is(Op::SetUpdate)),
    row(108, "STORE_ATTR",                Number,   4,  Is(Op::StoreAttr)),
    row(109, "STORE_DEREF",               Number,   0,  Is(Op::StoreDeref)),
    row(110, "STORE_FAST",                Number,   0,  Is(Op::StoreFast)),
    row(111, "STORE_FAST_LOAD_FAST",      Number,   0,  By(|n| Some(vec![(Op::StoreFast, n >> 4), (Op::LoadFastOrCell, n & 15)]))),
    row(112, "STORE_FAST_STORE_FAST",     Number,   0,  By(|n| Some(vec![(Op::StoreFast, n >> 4), (Op::StoreFast, n & 15)]))),
    row(113, "STORE_GLOBAL",              Number,   0,  Is(Op::StoreGlobal)),
    row(114, "STORE_NAME",                Number,   0,  Is(Op::StoreName)),
    row(115, "SWAP",                      Number,   0,  Is(Op::Swap)),
    row(116, "UNPACK_EX",                 Number,   0,  Is(Op::UnpackEx)),
    row(117, "UNPACK_SEQUENCE",           Number,   1,  Is(Op::UnpackSequence)),
    row(118, "YIELD_VALUE",               Number,   0,  Is(Op::YieldValue)),
    row(149, "RESUME",                    Number,   0,  Is(Op::Resume)),
];

/// What finds a callable pushes the mark above it where the argument's lowest bit asks for it.
fn marked(argument: u32, find: (Op, u32)) -> Steps {
    match argument & 1 {
        0 => vec![find],
        _ => vec![find, (Op::PushNull, 0)],
    }
}

fn super_attribute(argument: u32) -> Option<Steps> {
    let mut steps = vec![super_call(argument)];
    steps.extend(marked(argument, (Op::LoadAttr, argument >> 2)));
    Some(steps)
}

/// The bit below the comparison asks for its truth.
fn comparison(argument: u32) -> Option<Steps> {
    let compare = (Op::CompareOp, argument >> 5);
    Some(match argument & 16 {
        0 => vec![compare],
        _ => vec![compare, (Op::ToBool, 0)],
    })
}
