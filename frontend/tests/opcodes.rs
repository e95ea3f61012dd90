//! The opcode table against CPython's own, where a python3.11 is at hand.

use pyopt_frontend::{
    opcodes::{self, Direction, Flow, Op},
    version::Version,
};
use std::{fmt::Write, process::Command};

/// Prints number, name, argument, caches, direction of a jump, and net stack effects for arguments
/// 0 to 3.
const SCRIPT: &str = r#"
import dis, opcode
for name, number in sorted(dis.opmap.items(), key=lambda item: item[1]):
    argument = number >= dis.HAVE_ARGUMENT
    jump = number in dis.hasjrel
    direction = ("backward" if "BACKWARD" in name else "forward") if jump else "none"
    effects = [
        str(dis.stack_effect(number, value if argument else None, jump=jumps))
        for value in range(4) for jumps in ([False, True] if jump else [False])
    ]
    print(number, name, argument, opcode._inline_cache_entries[number], direction, *effects)
"#;

/// What [`SCRIPT`] prints, from our table.
fn ours() -> String {
    let mut text = String::new();
    for row in opcodes::table(Version::PYTHON_3_11).unwrap().rows {
        let direction = match row.flow {
            Flow::Jump(Direction::Forward) | Flow::Branch(Direction::Forward, _) => "forward",
            Flow::Jump(Direction::Backward) | Flow::Branch(Direction::Backward, _) => "backward",
            Flow::Next | Flow::Leave => "none",
        };
        let argument = if row.has_argument { "True" } else { "False" };
        write!(
            text,
            "{} {} {argument} {} {direction}",
            row.number, row.name, row.caches
        )
        .unwrap();
        for value in 0..4 {
            let net = |(popped, pushed): (u64, u64)| pushed as i64 - popped as i64;
            let argument = value as i64;
            // CPython's compiler books what a call takes on PRECALL and has no entry for resuming.
            let next = match row.op {
                Op::Precall => -argument,
                Op::Call => -1,
                Op::ReturnGenerator => 0,
                _ => net((row.effect)(value)),
            };
            write!(text, " {next}").unwrap();
            match row.flow {
                Flow::Jump(_) => write!(text, " {next}").unwrap(),
                Flow::Branch(_, effect) => write!(text, " {}", net(effect(value))).unwrap(),
                Flow::Next | Flow::Leave => {}
            }
        }
        text.push('\n');
    }
    text
}

#[test]
fn the_table_is_that_of_cpython() {
    let Ok(python) = Command::new("python3.11").args(["-c", SCRIPT]).output() else {
        eprintln!("skipped: no python3.11 on PATH");
        return;
    };
    if !python.status.success() {
        eprintln!("skipped: python3.11 does not run");
        return;
    }
    let theirs = String::from_utf8(python.stdout).expect("the script prints ASCII");
    assert_eq!(
        ours().lines().collect::<Vec<_>>(),
        theirs.lines().collect::<Vec<_>>()
    );
}
