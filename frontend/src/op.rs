//! Operations of the interpreter, as this crate knows them: what an instruction of any supported
//! version is decoded to.
//!
//! They are CPython 3.11's, with those of other versions that have no counterpart there. Where
//! versions differ in what an instruction takes from where, their tables ([`crate::opcodes`]) say
//! which operations it stands for; what depends on the instructions around it is settled when the
//! bytecode is decoded ([`crate::bytecode`]).

use crate::value::Value;
use std::fmt;

/// The builtin objects that `LOAD_COMMON_CONSTANT` loads, by its argument.
pub const COMMON_OBJECTS: [&str; 7] = [
    "AssertionError",
    "NotImplementedError",
    "tuple",
    "all",
    "any",
    "list",
    "set",
];

/// The constant that `LOAD_COMMON_CONSTANT` loads; their numbers follow those of the objects.
pub fn common_constant(argument: usize) -> Option<Value> {
    Some(match argument.checked_sub(COMMON_OBJECTS.len())? {
        0 => Value::None,
        1 => Value::Str("".into()),
        2 => Value::Bool(true),
        3 => Value::Bool(false),
        4 => Value::Int((-1).into()),
        _ => return None,
    })
}

/// How many values an instruction pops and then pushes, as a function of its argument.
pub type Effect = fn(u64) -> (u64, u64);

/// What an operation does to control flow.
#[derive(Clone, Copy, Debug)]
pub enum Flow {
    /// Control goes to the next instruction.
    Next,
    /// Control always jumps.
    Jump,
    /// Control jumps or goes to the next instruction; when it jumps the stack effect is the one
    /// given here.
    Branch(Effect),
    /// Control leaves the function.
    Leave,
}

use Flow::{Branch, Jump, Leave, Next};

/// The operations of [`Op::Intrinsic`], by its argument: a name and the number of operands.
///
/// They make the objects of type parameters and aliases, which 3.12 brought, and of template strings,
/// which 3.14 brought: of an interpolation's value, text and format, where it has one. The last one is
/// 3.10's alone, of a dictionary and keys: a dictionary of what else there is.
pub const INTRINSICS: [(&str, u64); 19] = [
    ("typevar", 1),
    ("paramspec", 1),
    ("typevartuple", 1),
    ("subscript_generic", 1),
    ("typealias", 1),
    ("typevar_with_bound", 2),
    ("typevar_with_constraints", 2),
    ("set_function_type_params", 2),
    ("set_typeparam_default", 2),
    ("template", 2),
    ("interpolation", 2),
    ("formatted_interpolation", 3),
    ("interpolation_str", 2),
    ("formatted_interpolation_str", 3),
    ("interpolation_repr", 2),
    ("formatted_interpolation_repr", 3),
    ("interpolation_ascii", 2),
    ("formatted_interpolation_ascii", 3),
    ("rest_of_dict", 2),
];

/// The intrinsic that makes a template string.
pub(crate) const TEMPLATE: u32 = 9;
/// The first of the intrinsics that make interpolations: for each conversion one without a format and
/// one with it.
pub(crate) const INTERPOLATION: u32 = 10;
/// The intrinsic that makes a dictionary without some keys.
pub(crate) const REST_OF_DICT: u32 = 18;

fn intrinsic_operands(argument: u64) -> u64 {
    let intrinsic = usize::try_from(argument)
        .ok()
        .and_then(|index| INTRINSICS.get(index));
    intrinsic.map_or(0, |(_, operands)| *operands)
}

macro_rules! ops {
    ($($variant:ident $name:literal $effect:expr, $flow:expr;)*) => {
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

            /// The number of values popped and pushed, for an argument, when control doesn't jump.
            pub fn effect(self, argument: u64) -> (u64, u64) {
                let effect: Effect = match self {
                    $(Self::$variant => $effect,)*
                };
                effect(argument)
            }

            /// What the operation does to control flow.
            pub fn flow(self) -> Flow {
                match self {
                    $(Self::$variant => $flow,)*
                }
            }
        }
    };
}

// Effects are those of the interpreter, not of its compiler's estimate: PRECALL leaves the stack
// alone and CALL takes everything. Where an instruction reaches below what it pops, the values
// above are popped and pushed again. RETURN_GENERATOR pushes what the first resumption sends.
#[rustfmt::skip]
ops! {
    // operation, name, (popped, pushed), flow
    AsyncGenWrap           "ASYNC_GEN_WRAP"              |_| (1, 1),                                    Next;
    BeforeAsyncWith        "BEFORE_ASYNC_WITH"           |_| (1, 2),                                    Next;
    BeforeWith             "BEFORE_WITH"                 |_| (1, 2),                                    Next;
    BinaryOp               "BINARY_OP"                   |_| (2, 1),                                    Next;
    BinarySubscr           "BINARY_SUBSCR"               |_| (2, 1),                                    Next;
    BuildConstKeyMap       "BUILD_CONST_KEY_MAP"         |n| (n + 1, 1),                                Next;
    BuildList              "BUILD_LIST"                  |n| (n, 1),                                    Next;
    BuildMap               "BUILD_MAP"                   |n| (2 * n, 1),                                Next;
    BuildSet               "BUILD_SET"                   |n| (n, 1),                                    Next;
    BuildSlice             "BUILD_SLICE"                 |n| (if n == 3 { 3 } else { 2 }, 1),           Next;
    BuildString            "BUILD_STRING"                |n| (n, 1),                                    Next;
    BuildTuple             "BUILD_TUPLE"                 |n| (n, 1),                                    Next;
    Cache                  "CACHE"                       |_| (0, 0),                                    Next;
    Call                   "CALL"                        |n| (n + 2, 1),                                Next;
    CallFunction           "CALL_FUNCTION"               |n| (n + 1, 1),                                Next;
    CallFunctionEx         "CALL_FUNCTION_EX"            |n| (3 + (n & 1), 1),                         Next;
    CallFunctionKw         "CALL_FUNCTION_KW"            |n| (n + 2, 1),                                Next;
    CallKw                 "CALL_KW"                     |n| (n + 3, 1),                                Next;
    CallSuper              "CALL_SUPER"                  |_| (3, 1),                                    Next;
    CallUnmarkedEx         "CALL_UNMARKED_EX"            |n| (2 + (n & 1), 1),                          Next;
    CheckEgMatch           "CHECK_EG_MATCH"              |_| (2, 2),                                    Next;
    CheckExcMatch          "CHECK_EXC_MATCH"             |_| (2, 2),                                    Next;
    ClearFast              "CLEAR_FAST"                  |_| (0, 1),                                     Next;
    CleanupThrow           "CLEANUP_THROW"               |_| (3, 2),                                    Next;
    CompareOp              "COMPARE_OP"                  |_| (2, 1),                                    Next;
    ContainsOp             "CONTAINS_OP"                 |_| (2, 1),                                    Next;
    ConvertValue           "CONVERT_VALUE"               |_| (1, 1),                                    Next;
    Copy                   "COPY"                        |n| (n, n + 1),                                Next;
    CopyFreeVars           "COPY_FREE_VARS"              |_| (0, 0),                                    Next;
    DeleteAttr             "DELETE_ATTR"                 |_| (1, 0),                                    Next;
    DeleteDeref            "DELETE_DEREF"                |_| (0, 0),                                    Next;
    DeleteFast             "DELETE_FAST"                 |_| (0, 0),                                    Next;
    DeleteGlobal           "DELETE_GLOBAL"               |_| (0, 0),                                    Next;
    DeleteName             "DELETE_NAME"                 |_| (0, 0),                                    Next;
    DeleteSubscr           "DELETE_SUBSCR"               |_| (2, 0),                                    Next;
    DictMerge              "DICT_MERGE"                  |n| (n + 1, n),                                Next;
    DictUpdate             "DICT_UPDATE"                 |n| (n + 1, n),                                Next;
    EndAsyncFor            "END_ASYNC_FOR"               |_| (2, 0),                                    Next;
    ExtendedArg            "EXTENDED_ARG"                |_| (0, 0),                                    Next;
    ForgetFast             "FORGET_FAST"                 |_| (1, 0),                                     Next;
    ForIter                "FOR_ITER"                    |_| (1, 2),                                    Branch(|_| (1, 0));
    ForIterIndexed         "FOR_ITER_INDEXED"            |_| (2, 3),                                    Branch(|_| (2, 0));
    FormatValue            "FORMAT_VALUE"                |n| (if n & 4 != 0 { 2 } else { 1 }, 1),       Next;
    GetAiter               "GET_AITER"                   |_| (1, 1),                                    Next;
    GetAnext               "GET_ANEXT"                   |_| (1, 2),                                    Next;
    GetAwaitable           "GET_AWAITABLE"               |_| (1, 1),                                    Next;
    GetIter                "GET_ITER"                    |_| (1, 1),                                    Next;
    GetLen                 "GET_LEN"                     |_| (1, 2),                                    Next;
    GetYieldFromIter       "GET_YIELD_FROM_ITER"         |_| (1, 1),                                    Next;
    ImportFrom             "IMPORT_FROM"                 |_| (1, 2),                                    Next;
    ImportName             "IMPORT_NAME"                 |_| (2, 1),                                    Next;
    ImportStar             "IMPORT_STAR"                 |_| (1, 0),                                    Next;
    Intrinsic              "INTRINSIC"                   |n| (intrinsic_operands(n), 1),                Next;
    IsNotNone              "IS_NOT_NONE"                 |_| (1, 1),                                    Next;
    IsOp                   "IS_OP"                       |_| (2, 1),                                    Next;
    Jump                   "JUMP"                        |_| (0, 0),                                    Jump;
    JumpIfFalseOrPop       "JUMP_IF_FALSE_OR_POP"        |_| (1, 0),                                    Branch(|_| (1, 1));
    JumpIfTrueOrPop        "JUMP_IF_TRUE_OR_POP"         |_| (1, 0),                                    Branch(|_| (1, 1));
    KwNames                "KW_NAMES"                    |_| (0, 0),                                    Next;
    ListAppend             "LIST_APPEND"                 |n| (n + 1, n),                                Next;
    ListExtend             "LIST_EXTEND"                 |n| (n + 1, n),                                Next;
    ListToTuple            "LIST_TO_TUPLE"               |_| (1, 1),                                    Next;
    LoadAssertionError     "LOAD_ASSERTION_ERROR"        |_| (0, 1),                                    Next;
    LoadAttr               "LOAD_ATTR"                   |_| (1, 1),                                    Next;
    LoadBuildClass         "LOAD_BUILD_CLASS"            |_| (0, 1),                                    Next;
    LoadClassDeref         "LOAD_CLASSDEREF"             |_| (0, 1),                                    Next;
    LoadClosure            "LOAD_CLOSURE"                |_| (0, 1),                                    Next;
    LoadCommonConstant     "LOAD_COMMON_CONSTANT"        |_| (0, 1),                                    Next;
    LoadConst              "LOAD_CONST"                  |_| (0, 1),                                    Next;
    LoadDeref              "LOAD_DEREF"                  |_| (0, 1),                                    Next;
    LoadFast               "LOAD_FAST"                   |_| (0, 1),                                    Next;
    LoadFastAndClear       "LOAD_FAST_AND_CLEAR"         |_| (0, 1),                                    Next;
    LoadFastOrCell         "LOAD_FAST_OR_CELL"           |_| (0, 1),                                    Next;
    LoadFromDictOrDeref    "LOAD_FROM_DICT_OR_DEREF"     |_| (1, 1),                                    Next;
    LoadFromDictOrGlobals  "LOAD_FROM_DICT_OR_GLOBALS"   |_| (1, 1),                                    Next;
    LoadGlobal             "LOAD_GLOBAL"                 |n| (0, 1 + (n & 1)),                          Next;
    LoadLocals             "LOAD_LOCALS"                 |_| (0, 1),                                    Next;
    LoadMethod             "LOAD_METHOD"                 |_| (1, 2),                                    Next;
    LoadName               "LOAD_NAME"                   |_| (0, 1),                                    Next;
    LoadSmallInt           "LOAD_SMALL_INT"              |_| (0, 1),                                    Next;
    LoadSpecial            "LOAD_SPECIAL"                |_| (1, 2),                                    Next;
    MakeCell               "MAKE_CELL"                   |_| (0, 0),                                    Next;
    MakeFunction           "MAKE_FUNCTION"               |n| (1 + u64::from((n & 0x1f).count_ones()), 1), Next;
    MakeNamedFunction      "MAKE_NAMED_FUNCTION"         |n| (2 + u64::from((n & 0x1f).count_ones()), 1), Next;
    MapAdd                 "MAP_ADD"                     |n| (n + 2, n),                                Next;
    MatchClass             "MATCH_CLASS"                 |_| (3, 1),                                    Next;
    MatchKeys              "MATCH_KEYS"                  |_| (2, 3),                                    Next;
    MatchMapping           "MATCH_MAPPING"               |_| (1, 2),                                    Next;
    MatchSequence          "MATCH_SEQUENCE"              |_| (1, 2),                                    Next;
    Nop                    "NOP"                         |_| (0, 0),                                    Next;
    PopBlock               "POP_BLOCK"                   |_| (0, 0),                                    Next;
    PopExcept              "POP_EXCEPT"                  |_| (1, 0),                                    Next;
    PopJumpIfFalse         "POP_JUMP_IF_FALSE"           |_| (1, 0),                                    Branch(|_| (1, 0));
    PopJumpIfNone          "POP_JUMP_IF_NONE"            |_| (1, 0),                                    Branch(|_| (1, 0));
    PopJumpIfNotNone       "POP_JUMP_IF_NOT_NONE"        |_| (1, 0),                                    Branch(|_| (1, 0));
    PopJumpIfTrue          "POP_JUMP_IF_TRUE"            |_| (1, 0),                                    Branch(|_| (1, 0));
    PopTop                 "POP_TOP"                     |_| (1, 0),                                    Next;
    Precall                "PRECALL"                     |_| (0, 0),                                    Next;
    PrepReraiseStar        "PREP_RERAISE_STAR"           |_| (2, 1),                                    Next;
    PrintExpr              "PRINT_EXPR"                  |_| (1, 0),                                    Next;
    PushExcInfo            "PUSH_EXC_INFO"               |_| (1, 2),                                    Next;
    PushNull               "PUSH_NULL"                   |_| (0, 1),                                    Next;
    RaiseVarargs           "RAISE_VARARGS"               |n| (n, 0),                                    Leave;
    Reraise                "RERAISE"                     |_| (1, 0),                                    Leave;
    RestoreFast            "RESTORE_FAST"                |_| (1, 0),                                    Next;
    Resume                 "RESUME"                      |_| (0, 0),                                    Next;
    ReturnConst            "RETURN_CONST"                |_| (0, 0),                                     Leave;
    ReturnGenerator        "RETURN_GENERATOR"            |_| (0, 1),                                    Next;
    ReturnValue            "RETURN_VALUE"                |_| (1, 0),                                    Leave;
    Send                   "SEND"                        |_| (2, 2),                                    Branch(|_| (2, 1));
    SendIndexed            "SEND_INDEXED"                |_| (3, 3),                                    Branch(|_| (3, 1));
    SetAdd                 "SET_ADD"                     |n| (n + 1, n),                                Next;
    SetFunctionAttribute   "SET_FUNCTION_ATTRIBUTE"      |_| (2, 1),                                    Next;
    SetUpdate              "SET_UPDATE"                  |n| (n + 1, n),                                Next;
    SetupAnnotations       "SETUP_ANNOTATIONS"           |_| (0, 0),                                    Next;
    SetupFinally           "SETUP_FINALLY"               |_| (0, 0),                                    Next;
    SetupWith              "SETUP_WITH"                  |_| (0, 0),                                    Next;
    StopIterationError     "STOPITERATION_ERROR"         |_| (1, 1),                                    Next;
    StoreAttr              "STORE_ATTR"                  |_| (2, 0),                                    Next;
    StoreDeref             "STORE_DEREF"                 |_| (1, 0),                                    Next;
    StoreFast              "STORE_FAST"                  |_| (1, 0),                                    Next;
    StoreGlobal            "STORE_GLOBAL"                |_| (1, 0),                                    Next;
    StoreName              "STORE_NAME"                  |_| (1, 0),                                    Next;
    StoreSubscr            "STORE_SUBSCR"                |_| (3, 0),                                    Next;
    Swap                   "SWAP"                        |n| (n, n),                                    Next;
    ToBool                 "TO_BOOL"                     |_| (1, 1),                                    Next;
    UnaryInvert            "UNARY_INVERT"                |_| (1, 1),                                    Next;
    UnaryNegative          "UNARY_NEGATIVE"              |_| (1, 1),                                    Next;
    UnaryNot               "UNARY_NOT"                   |_| (1, 1),                                    Next;
    UnaryPositive          "UNARY_POSITIVE"              |_| (1, 1),                                    Next;
    UnpackEx               "UNPACK_EX"                   |n| (1, (n & 0xff) + 1 + (n >> 8)),            Next;
    UnpackSequence         "UNPACK_SEQUENCE"             |n| (1, n),                                    Next;
    WithExceptStart        "WITH_EXCEPT_START"           |n| (n + 4, n + 5),                                    Next;
    YieldFrom              "YIELD_FROM"                  |_| (2, 1),                                    Next;
    YieldValue             "YIELD_VALUE"                 |_| (1, 1),                                    Next;
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
                    | Self::LoadCommonConstant
                    | Self::LoadConst
                    | Self::LoadFast
                    | Self::LoadLocals
                    | Self::LoadSmallInt
                    | Self::MakeCell
                    | Self::MatchMapping
                    | Self::MatchSequence
                    | Self::PopExcept
                    | Self::PushExcInfo
                    | Self::ReturnConst
                    | Self::ReturnValue
                    | Self::StoreDeref
            ))
    }

    /// Whether the operation only moves one value between a local and the stack.
    pub fn is_plain_access(self) -> bool {
        matches!(
            self,
            Self::LoadFast
                | Self::LoadClosure
                | Self::StoreFast
                | Self::RestoreFast
                | Self::ForgetFast
        )
    }

    /// Whether the operation's argument is a local, cell or free variable.
    pub fn names_local(self) -> bool {
        self.is_plain_access()
            || matches!(
                self,
                Self::ClearFast
                    | Self::DeleteDeref
                    | Self::DeleteFast
                    | Self::LoadClassDeref
                    | Self::LoadDeref
                    | Self::LoadFastAndClear
                    | Self::LoadFromDictOrDeref
                    | Self::MakeCell
                    | Self::StoreDeref
            )
    }

    /// Whether the operation's argument is a variable in a cell.
    pub fn names_cell(self) -> bool {
        matches!(
            self,
            Self::DeleteDeref
                | Self::LoadClassDeref
                | Self::LoadClosure
                | Self::LoadDeref
                | Self::StoreDeref
        )
    }

    /// Whether the operation only moves values between locals and the stack: nothing is computed.
    pub fn is_silent(self) -> bool {
        matches!(
            self,
            Self::ClearFast
                | Self::Copy
                | Self::CopyFreeVars
                | Self::ForgetFast
                | Self::Jump
                | Self::KwNames
                | Self::LoadFastAndClear
                | Self::Nop
                | Self::PopBlock
                | Self::PopTop
                | Self::Precall
                | Self::PushNull
                | Self::RestoreFast
                | Self::Resume
                | Self::ReturnGenerator
                | Self::SetupFinally
                | Self::SetupWith
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
            Self::ForIterIndexed | Self::MatchKeys | Self::SendIndexed => 2,
            Self::WithExceptStart => argument + 4,
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
