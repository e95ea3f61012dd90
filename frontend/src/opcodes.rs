//! Opcodes: what each instruction of each supported CPython version is.
//!
//! A version's table is plain data in a file of its own. It maps opcode numbers to an [`Op`], which
//! names an operation independently of versions where versions agree on its meaning: the jumps of
//! CPython 3.11 that differ only in their direction, for example, are one [`Op`], because a decoded
//! instruction carries its target.

use crate::{
    tables::{ExceptionHandler, Position, TableError},
    version::Version,
};
use pyopt_dialects::enums::{PyBinaryKind, PyCompareKind};
use std::fmt;

macro_rules! ops {
    ($($variant:ident $name:literal,)*) => {
        /// An operation of the interpreter.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Op {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl Op {
            /// The operation's version-independent name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

ops! {
    AsyncGenWrap "ASYNC_GEN_WRAP",
    BeforeAsyncWith "BEFORE_ASYNC_WITH",
    BeforeWith "BEFORE_WITH",
    BinaryOp "BINARY_OP",
    BinarySubscr "BINARY_SUBSCR",
    BuildConstKeyMap "BUILD_CONST_KEY_MAP",
    BuildList "BUILD_LIST",
    BuildMap "BUILD_MAP",
    BuildSet "BUILD_SET",
    BuildSlice "BUILD_SLICE",
    BuildString "BUILD_STRING",
    BuildTuple "BUILD_TUPLE",
    Cache "CACHE",
    Call "CALL",
    CallFunctionEx "CALL_FUNCTION_EX",
    CheckEgMatch "CHECK_EG_MATCH",
    CheckExcMatch "CHECK_EXC_MATCH",
    CompareOp "COMPARE_OP",
    ContainsOp "CONTAINS_OP",
    Copy "COPY",
    CopyFreeVars "COPY_FREE_VARS",
    DeleteAttr "DELETE_ATTR",
    DeleteDeref "DELETE_DEREF",
    DeleteFast "DELETE_FAST",
    DeleteGlobal "DELETE_GLOBAL",
    DeleteName "DELETE_NAME",
    DeleteSubscr "DELETE_SUBSCR",
    DictMerge "DICT_MERGE",
    DictUpdate "DICT_UPDATE",
    EndAsyncFor "END_ASYNC_FOR",
    ExtendedArg "EXTENDED_ARG",
    ForIter "FOR_ITER",
    FormatValue "FORMAT_VALUE",
    GetAiter "GET_AITER",
    GetAnext "GET_ANEXT",
    GetAwaitable "GET_AWAITABLE",
    GetIter "GET_ITER",
    GetLen "GET_LEN",
    GetYieldFromIter "GET_YIELD_FROM_ITER",
    ImportFrom "IMPORT_FROM",
    ImportName "IMPORT_NAME",
    ImportStar "IMPORT_STAR",
    IsOp "IS_OP",
    Jump "JUMP",
    JumpIfFalseOrPop "JUMP_IF_FALSE_OR_POP",
    JumpIfTrueOrPop "JUMP_IF_TRUE_OR_POP",
    KwNames "KW_NAMES",
    ListAppend "LIST_APPEND",
    ListExtend "LIST_EXTEND",
    ListToTuple "LIST_TO_TUPLE",
    LoadAssertionError "LOAD_ASSERTION_ERROR",
    LoadAttr "LOAD_ATTR",
    LoadBuildClass "LOAD_BUILD_CLASS",
    LoadClassDeref "LOAD_CLASSDEREF",
    LoadClosure "LOAD_CLOSURE",
    LoadConst "LOAD_CONST",
    LoadDeref "LOAD_DEREF",
    LoadFast "LOAD_FAST",
    LoadGlobal "LOAD_GLOBAL",
    LoadMethod "LOAD_METHOD",
    LoadName "LOAD_NAME",
    MakeCell "MAKE_CELL",
    MakeFunction "MAKE_FUNCTION",
    MapAdd "MAP_ADD",
    MatchClass "MATCH_CLASS",
    MatchKeys "MATCH_KEYS",
    MatchMapping "MATCH_MAPPING",
    MatchSequence "MATCH_SEQUENCE",
    Nop "NOP",
    PopExcept "POP_EXCEPT",
    PopJumpIfFalse "POP_JUMP_IF_FALSE",
    PopJumpIfNone "POP_JUMP_IF_NONE",
    PopJumpIfNotNone "POP_JUMP_IF_NOT_NONE",
    PopJumpIfTrue "POP_JUMP_IF_TRUE",
    PopTop "POP_TOP",
    Precall "PRECALL",
    PrepReraiseStar "PREP_RERAISE_STAR",
    PrintExpr "PRINT_EXPR",
    PushExcInfo "PUSH_EXC_INFO",
    PushNull "PUSH_NULL",
    RaiseVarargs "RAISE_VARARGS",
    Reraise "RERAISE",
    Resume "RESUME",
    ReturnGenerator "RETURN_GENERATOR",
    ReturnValue "RETURN_VALUE",
    Send "SEND",
    SetAdd "SET_ADD",
    SetUpdate "SET_UPDATE",
    SetupAnnotations "SETUP_ANNOTATIONS",
    StoreAttr "STORE_ATTR",
    StoreDeref "STORE_DEREF",
    StoreFast "STORE_FAST",
    StoreGlobal "STORE_GLOBAL",
    StoreName "STORE_NAME",
    StoreSubscr "STORE_SUBSCR",
    Swap "SWAP",
    UnaryInvert "UNARY_INVERT",
    UnaryNegative "UNARY_NEGATIVE",
    UnaryNot "UNARY_NOT",
    UnaryPositive "UNARY_POSITIVE",
    UnpackEx "UNPACK_EX",
    UnpackSequence "UNPACK_SEQUENCE",
    WithExceptStart "WITH_EXCEPT_START",
    YieldValue "YIELD_VALUE",
}

impl Op {
    /// Whether the operation can raise. Reading a local only raises when it is unbound, which data
    /// flow knows better.
    pub fn may_raise(self) -> bool {
        !(self.is_silent()
            || matches!(
                self,
                Self::IsOp
                    | Self::LoadAssertionError
                    | Self::LoadClosure
                    | Self::LoadConst
                    | Self::LoadFast
                    | Self::MakeCell
                    | Self::MatchMapping
                    | Self::MatchSequence
                    | Self::PopExcept
                    | Self::PushExcInfo
                    | Self::ReturnValue
                    | Self::StoreDeref
            ))
    }

    /// Whether the operation only moves values between locals and the stack: nothing is computed.
    pub fn is_silent(self) -> bool {
        matches!(
            self,
            Self::Copy
                | Self::CopyFreeVars
                | Self::Jump
                | Self::KwNames
                | Self::Nop
                | Self::PopTop
                | Self::Precall
                | Self::PushNull
                | Self::Resume
                | Self::ReturnGenerator
                | Self::StoreFast
                | Self::Swap
        )
    }

    /// How many of the values that the stack effect takes away and puts back stay as they are, for
    /// an argument.
    pub fn kept(self, argument: u64) -> u64 {
        match self {
            Self::CheckExcMatch
            | Self::ForIter
            | Self::GetAnext
            | Self::GetLen
            | Self::ImportFrom
            | Self::JumpIfFalseOrPop
            | Self::JumpIfTrueOrPop
            | Self::MatchMapping
            | Self::MatchSequence
            | Self::Send => 1,
            Self::MatchKeys => 2,
            Self::WithExceptStart => 4,
            Self::Copy
            | Self::DictMerge
            | Self::DictUpdate
            | Self::ListAppend
            | Self::ListExtend
            | Self::MapAdd
            | Self::SetAdd
            | Self::SetUpdate => argument,
            _ => 0,
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// How many values an instruction pops and then pushes, as a function of its argument.
pub type Effect = fn(u64) -> (u64, u64);

/// Where a jump's target lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The argument counts code units from the next instruction on.
    Forward,
    /// The argument counts code units from the next instruction back.
    Backward,
}

/// What an instruction does to control flow.
#[derive(Clone, Copy, Debug)]
pub enum Flow {
    /// Control goes to the next instruction.
    Next,
    /// Control always jumps.
    Jump(Direction),
    /// Control jumps or goes to the next instruction; when it jumps the stack effect is the one
    /// given here.
    Branch(Direction, Effect),
    /// Control leaves the function.
    Leave,
}

/// A row of a version's table.
#[derive(Clone, Copy, Debug)]
pub struct OpcodeInfo {
    /// The opcode's number.
    pub number: u8,
    /// CPython's name of it.
    pub name: &'static str,
    /// The operation.
    pub op: Op,
    /// Whether the argument means something.
    pub has_argument: bool,
    /// The number of code units after the instruction that hold inline caches.
    pub caches: u8,
    /// The stack effect when control doesn't jump.
    pub effect: Effect,
    /// The control flow.
    pub flow: Flow,
}

/// Reads a position table: its bytes, the first line, the number of code units.
pub type PositionReader = fn(&[u8], i32, usize) -> Result<Vec<Position>, TableError>;

/// Reads an exception table.
pub type ExceptionReader = fn(&[u8]) -> Result<Vec<ExceptionHandler>, TableError>;

/// Writes a position table: the position of each code unit, the first line.
pub type PositionWriter = fn(&[Position], i32) -> Vec<u8>;

/// Writes an exception table.
pub type ExceptionWriter = fn(&[ExceptionHandler]) -> Vec<u8>;

/// The opcodes of a CPython version.
#[derive(Debug)]
pub struct OpcodeTable {
    /// The version.
    pub version: Version,
    /// The rows, ascending by number.
    pub rows: &'static [OpcodeInfo],
    /// Decodes the position table.
    pub positions: PositionReader,
    /// Decodes the exception table.
    pub exception_handlers: ExceptionReader,
    /// Encodes the position table.
    pub write_positions: PositionWriter,
    /// Encodes the exception table.
    pub write_exception_handlers: ExceptionWriter,
    /// The operators of `BINARY_OP` by argument; the in-place forms follow in the same order.
    pub binary_operators: &'static [PyBinaryKind],
    /// The comparisons of `COMPARE_OP` by argument.
    pub comparisons: &'static [PyCompareKind],
}

impl OpcodeTable {
    /// The row of an opcode number.
    pub fn get(&self, number: u8) -> Option<&'static OpcodeInfo> {
        let index = self
            .rows
            .binary_search_by_key(&number, |row| row.number)
            .ok()?;
        Some(&self.rows[index])
    }
}

/// The tables of all supported versions, ascending.
static TABLES: &[&OpcodeTable] = &[&crate::opcodes_311::TABLE];

/// The table of a CPython version, if it is supported.
pub fn table(version: Version) -> Option<&'static OpcodeTable> {
    TABLES
        .iter()
        .copied()
        .find(|table| table.version == version)
}

/// The supported versions in words.
pub fn supported_versions() -> String {
    let versions: Vec<_> = TABLES
        .iter()
        .map(|table| table.version.to_string())
        .collect();
    format!("CPython {}", versions.join(", "))
}
