//! Opcodes: what each instruction of each supported CPython version is.
//!
//! A version's table is plain data in a file of its own. It maps opcode numbers to operations
//! ([`Op`]) and answers whatever else differs between versions: nothing outside the tables asks
//! which version it is.

pub use crate::op::{Effect, Flow, Op};
use crate::{
    op,
    tables::{ExceptionHandler, Position, TableError},
    version::Version,
};
use pyopt_dialects::enums::{PyBinaryKind, PyCompareKind};

/// What an instruction's argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Nothing: it is ignored.
    Unused,
    /// A number that the operation knows the meaning of.
    Number,
    /// The distance of a jump in code units, from the next instruction on.
    Forward,
    /// The same, past the instructions of these names that lie there: the interpreter jumps over
    /// what only specialised instructions run.
    ForwardPast(&'static [&'static str]),
    /// The distance of a jump in code units, from the next instruction back.
    Backward,
    /// The code unit that is jumped to, counted from the first one.
    Absolute,
    /// The distance of another instruction, which nothing goes to.
    Distance,
    /// The distance of a handler in code units, from the next instruction on: it goes on the stack of
    /// blocks.
    Handler,
    /// Nothing: bytecode doesn't have the instruction, the interpreter does what it does by itself.
    Implied,
}

impl Operand {
    /// Whether the argument is the distance of a jump.
    pub fn is_jump(self) -> bool {
        matches!(
            self,
            Self::Forward | Self::ForwardPast(_) | Self::Backward | Self::Absolute
        )
    }
}

/// Operations with their arguments, in the order in which they run.
pub type Steps = Vec<(Op, u32)>;

/// What an instruction does.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    /// One operation, with the instruction's argument.
    Is(Op),
    /// What the argument says; nothing if no such argument exists.
    By(fn(u32) -> Option<Steps>),
}

/// A row of a version's table.
#[derive(Clone, Copy, Debug)]
pub struct OpcodeInfo {
    /// The opcode's number.
    pub number: u8,
    /// CPython's name of it.
    pub name: &'static str,
    /// What the argument is.
    pub operand: Operand,
    /// The number of code units after the instruction that hold inline caches.
    pub caches: u8,
    /// What the instruction does.
    pub meaning: Meaning,
}

impl OpcodeInfo {
    /// Whether the instruction is this operation, whatever its argument is.
    pub fn is(&self, op: Op) -> bool {
        matches!(self.meaning, Meaning::Is(own) if own == op)
    }
}

/// A row, for the tables.
pub(crate) const fn row(
    number: u8,
    name: &'static str,
    operand: Operand,
    caches: u8,
    meaning: Meaning,
) -> OpcodeInfo {
    OpcodeInfo {
        number,
        name,
        operand,
        caches,
        meaning,
    }
}

/// Where a call has the mark that says that no first argument was found with the callable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallMark {
    /// Below the callable.
    Below,
    /// Above the callable.
    Above,
    /// Nowhere: what is called alone is an instruction's own matter.
    Absent,
}

/// How code objects number their variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Locals, cells and free variables together.
    Joined,
    /// Cells, in the order of their names, and free variables apart from the locals: a parameter in a
    /// cell is both.
    Apart,
}

/// How an interpreter knows the handler of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranges {
    /// From the code's exception table.
    Table,
    /// From a stack of blocks that instructions push and pop.
    Blocks,
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
    /// The magic number of the .pyc files of its final releases.
    pub magic: u16,
    /// The rows, ascending by number.
    pub rows: &'static [OpcodeInfo],
    /// Where calls have their mark.
    pub call_mark: CallMark,
    /// How variables are numbered.
    pub layout: Layout,
    /// How the handler of an instruction is known.
    pub ranges: Ranges,
    /// Decodes the position table.
    pub positions: PositionReader,
    /// Decodes the exception table.
    pub exception_handlers: ExceptionReader,
    /// Encodes the position table.
    pub write_positions: PositionWriter,
    /// Encodes the exception table.
    pub write_exception_handlers: ExceptionWriter,
    /// The instruction that loads a local and raises where it is unbound.
    pub checked_load: &'static str,
    /// Whether object mode knows the version's frames, and so takes frame form of its bytecode.
    pub has_frame_form: bool,
    /// The operators of `BINARY_OP` by argument; the in-place forms follow in the same order.
    pub binary_operators: &'static [PyBinaryKind],
    /// The comparisons of `COMPARE_OP` by argument.
    pub comparisons: &'static [PyCompareKind],
}

/// The operators of `BINARY_OP`, as all versions have them.
pub(crate) const BINARY_OPERATORS: &[PyBinaryKind] = &[
    PyBinaryKind::Add,
    PyBinaryKind::And,
    PyBinaryKind::FloorDiv,
    PyBinaryKind::LShift,
    PyBinaryKind::MatMul,
    PyBinaryKind::Mul,
    PyBinaryKind::Mod,
    PyBinaryKind::Or,
    PyBinaryKind::Pow,
    PyBinaryKind::RShift,
    PyBinaryKind::Sub,
    PyBinaryKind::TrueDiv,
    PyBinaryKind::Xor,
];

/// The comparisons of `COMPARE_OP`, as all versions have them.
pub(crate) const COMPARISONS: &[PyCompareKind] = &[
    PyCompareKind::Lt,
    PyCompareKind::Le,
    PyCompareKind::Eq,
    PyCompareKind::Ne,
    PyCompareKind::Gt,
    PyCompareKind::Ge,
];

impl OpcodeTable {
    /// The row of an opcode number.
    pub fn get(&self, number: u8) -> Option<&'static OpcodeInfo> {
        let index = self
            .rows
            .binary_search_by_key(&number, |row| row.number)
            .ok()?;
        Some(&self.rows[index])
    }

    /// Whether an instruction is this operation.
    pub fn has(&self, op: Op) -> bool {
        self.rows.iter().any(|row| row.is(op))
    }

    /// The row of an instruction's name.
    pub fn named(&self, name: &str) -> Option<&'static OpcodeInfo> {
        self.rows.iter().find(|row| row.name == name)
    }
}

/// The tables of all supported versions, ascending.
pub static TABLES: &[&OpcodeTable] = &[
    &crate::opcodes_310::TABLE,
    &crate::opcodes_311::TABLE,
    &crate::opcodes_312::TABLE,
    &crate::opcodes_313::TABLE,
    &crate::opcodes_314::TABLE,
    &crate::opcodes_315::TABLE,
];

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

/// The operation of `CALL_INTRINSIC_1`, since 3.12. What gives nothing leaves the mark for `POP_TOP`.
pub(crate) fn unary_intrinsic(argument: u32) -> Option<Steps> {
    Some(match argument {
        1 => vec![(Op::PrintExpr, 0), (Op::PushNull, 0)],
        2 => vec![(Op::ImportStar, 0), (Op::PushNull, 0)],
        3 => vec![(Op::StopIterationError, 0)],
        4 => vec![(Op::AsyncGenWrap, 0)],
        5 => vec![(Op::UnaryPositive, 0)],
        6 => vec![(Op::ListToTuple, 0)],
        7..=11 => vec![(Op::Intrinsic, argument - 7)],
        _ => return None,
    })
}

/// The operation of `CALL_INTRINSIC_2`, since 3.12.
pub(crate) fn binary_intrinsic(argument: u32) -> Option<Steps> {
    Some(match argument {
        1 => vec![(Op::PrepReraiseStar, 0)],
        2..=5 => vec![(Op::Intrinsic, argument + 3)],
        _ => return None,
    })
}

/// The call in `LOAD_SUPER_ATTR`: `super` with the class and the object on the stack, or, where the
/// source has no arguments, without them.
pub(crate) fn super_call(argument: u32) -> (Op, u32) {
    match argument & 2 {
        0 => (Op::CallSuper, 0),
        _ => (Op::CallFunction, 2),
    }
}

/// What finds a callable pushes the mark above it where the argument's lowest bit asks for it, since
/// 3.13.
pub(crate) fn marked(argument: u32, find: (Op, u32)) -> Steps {
    match argument & 1 {
        0 => vec![find],
        _ => vec![find, (Op::PushNull, 0)],
    }
}

/// `LOAD_SUPER_ATTR`, since 3.13.
pub(crate) fn super_attribute(argument: u32) -> Option<Steps> {
    let mut steps = vec![super_call(argument)];
    steps.extend(marked(argument, (Op::LoadAttr, argument >> 2)));
    Some(steps)
}

/// `COMPARE_OP`, since 3.13: the bit below the comparison asks for its truth.
pub(crate) fn comparison(argument: u32) -> Option<Steps> {
    let compare = (Op::CompareOp, argument >> 5);
    Some(match argument & 16 {
        0 => vec![compare],
        _ => vec![compare, (Op::ToBool, 0)],
    })
}

/// Two loads of locals in one instruction, since 3.13.
pub(crate) fn two_loads(argument: u32) -> Option<Steps> {
    let load = |local| (Op::LoadFastOrCell, local);
    Some(vec![load(argument >> 4), load(argument & 15)])
}

/// `BINARY_OP`, since 3.14: subscripts are operators.
pub(crate) fn operator(argument: u32) -> Option<Steps> {
    const SUBSCRIPT: u32 = 26;
    Some(vec![match argument {
        SUBSCRIPT => (Op::BinarySubscr, 0),
        _ => (Op::BinaryOp, argument),
    }])
}

/// `BUILD_TEMPLATE`, since 3.14.
pub(crate) fn template(_: u32) -> Option<Steps> {
    Some(vec![(Op::Intrinsic, op::TEMPLATE)])
}

/// `BUILD_INTERPOLATION`, since 3.14: the lowest bit of the argument says that there is a format; the
/// conversion lies above a bit without a meaning.
pub(crate) fn interpolation(argument: u32) -> Option<Steps> {
    let (conversion, format) = (argument >> 2, argument & 1);
    let intrinsic = op::INTERPOLATION + 2 * conversion + format;
    (conversion < 4).then(|| vec![(Op::Intrinsic, intrinsic)])
}
