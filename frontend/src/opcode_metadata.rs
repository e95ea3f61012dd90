//! An opcode table beside what an interpreter says of its own opcodes.

use crate::{
    op::{Flow, Op},
    opcodes::{Meaning, OpcodeInfo, OpcodeTable, Operand, Ranges},
    version::Version,
};

/// A Python program that prints the magic number of .pyc files; then, for each instruction that
/// compilers write, number, name, argument, caches, direction of a jump, and net stack effects for
/// arguments 0 to 3: `none` for an argument that means nothing.
pub const SCRIPT: &str = r#"
import dis, importlib.util, opcode
print(int.from_bytes(importlib.util.MAGIC_NUMBER[:2], "little"))
caches = getattr(opcode, "_inline_cache_entries", {})
if not hasattr(caches, "get"):
    caches = dict(enumerate(caches))
internal = {"ENTER_EXECUTOR", "EXIT_INIT_CHECK", "INTERPRETER_EXIT", "RESERVED", "TRACE_RECORD"}
has_argument = set(getattr(dis, "hasarg", range(dis.HAVE_ARGUMENT, 256)))
def effect(number, argument, jump):
    if dis.opname[number].startswith("CALL_INTRINSIC_") and argument == 0:
        return "none"
    try:
        return str(dis.stack_effect(number, argument, jump=jump))
    except ValueError:
        return "none"
for name, number in sorted(dis.opmap.items(), key=lambda item: item[1]):
    if number > 255 or name in internal or name.startswith("INSTRUMENTED_"):
        continue
    argument = number in has_argument
    absolute = number in dis.hasjabs
    jump = number in dis.hasjrel or absolute
    relative = "backward" if "BACKWARD" in name else "forward"
    direction = "absolute" if absolute else relative if jump else "none"
    effects = [
        effect(number, value if argument else None, jumps)
        for value in range(4) for jumps in ([False, True] if jump else [False])
    ]
    count = caches.get(name, caches.get(number, 0))
    print(number, name, argument, count, direction, *effects)
"#;

/// In what a table differs from an interpreter, of which [`SCRIPT`] printed `theirs`: a line for
/// each instruction, by its name.
pub fn differences(table: &OpcodeTable, theirs: &str) -> Vec<String> {
    let mut differences = Vec::new();
    let mut lines = theirs.lines();
    let magic = lines.next().unwrap_or_default();
    if magic != table.magic.to_string() {
        differences.push(format!("magic number: {magic}, table: {}", table.magic));
    }
    let lines: Vec<&str> = lines.collect();
    let name = |line: &str| line.split(' ').nth(1).unwrap_or_default().to_string();
    for line in &lines {
        let row = table.rows.iter().find(|row| row.name == name(line));
        match row.map(|row| describe(table, row)) {
            None => differences.push(format!("not in the table: {line}")),
            Some(ours) if ours != *line => {
                differences.push(format!("differs: {line}, table: {ours}"));
            }
            Some(_) => {}
        }
    }
    for row in table.rows {
        if !lines.iter().any(|line| name(line) == row.name) {
            differences.push(format!("only in the table: {}", describe(table, row)));
        }
    }
    differences
}

/// A row as [`SCRIPT`] prints it.
fn describe(table: &OpcodeTable, row: &OpcodeInfo) -> String {
    let direction = match row.operand {
        Operand::Forward | Operand::ForwardPast(_) | Operand::Distance | Operand::Handler => {
            "forward"
        }
        Operand::Absolute => "absolute",
        Operand::Backward => "backward",
        Operand::Number | Operand::Unused | Operand::Implied => "none",
    };
    let argument = match row.operand {
        Operand::Unused => "False",
        _ => "True",
    };
    let (number, name, caches) = (row.number, row.name, row.caches);
    let mut text = format!("{number} {name} {argument} {caches} {direction}");
    for value in 0..4 {
        let effects = booked(table, row, value.into()).or_else(|| effects(table, row, value));
        let shown = if direction == "none" { 1 } else { 2 };
        for index in 0..shown {
            let effect = effects.map(|effects| effects[index].to_string());
            text.push(' ');
            text.push_str(effect.as_deref().unwrap_or("none"));
        }
    }
    text
}

/// What CPython's compiler books differently: what a call of 3.11 takes, before it, and nothing for
/// what resuming pushes, until 3.13; since 3.14 a slice takes what its argument says, even if there is
/// no such slice, and what a function returns is on the caller's stack. In 3.10 a jump to a handler is one
/// of what sets it up, and a generator's start takes what was sent.
fn booked(table: &OpcodeTable, row: &OpcodeInfo, argument: i64) -> Option<[i64; 2]> {
    let has_precall = table.rows.iter().any(|row| row.is(Op::Precall));
    let has_blocks = table.ranges == Ranges::Blocks;
    let is_new = table.version >= Version::PYTHON_3_14;
    Some(match row.name {
        "PRECALL" => [-argument; 2],
        "CALL" if has_precall => [-1; 2],
        "GEN_START" => [-1; 2],
        "SETUP_FINALLY" => [0, 6],
        "SETUP_ASYNC_WITH" => [0, 5],
        "SETUP_WITH" => [1, 6],
        "END_ASYNC_FOR" if has_blocks => [-7; 2],
        "RETURN_GENERATOR" if table.version < Version::PYTHON_3_13 => [0; 2],
        "BUILD_SLICE" if is_new => [1 - argument; 2],
        "RETURN_VALUE" if is_new => [0; 2],
        _ => return None,
    })
}

/// The net stack effects of an instruction when control goes on and when it jumps; none for an
/// argument that means nothing.
fn effects(table: &OpcodeTable, row: &OpcodeInfo, argument: u32) -> Option<[i64; 2]> {
    let steps = match row.meaning {
        Meaning::Is(op) => vec![(op, argument)],
        Meaning::By(steps) => steps(argument)?,
    };
    let net = |(popped, pushed): (u64, u64)| pushed as i64 - popped as i64;
    let mut effects = [0; 2];
    for (op, argument) in steps {
        let next = net(op.effect(argument.into()));
        let jump = match op.flow() {
            Flow::Branch(effect) => net(effect(argument.into())),
            _ => next,
        };
        effects = [effects[0] + next, effects[1] + jump];
    }
    // What a jump goes past is booked where it stands.
    if let Operand::ForwardPast(names) = row.operand {
        for name in names {
            let skipped = table.rows.iter().find(|row| row.name == *name)?;
            effects[1] -= self::effects(table, skipped, 0)?[0];
        }
    }
    Some(effects)
}
