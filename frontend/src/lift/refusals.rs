//! What can't be lifted: by name, at its place, with what to write instead.

use crate::{
    bytecode::Instruction, code::CodeObject, control_flow::ControlFlow, diagnostic::Diagnostic,
    opcodes::Op,
};

/// Refuses generators and coroutines.
pub(super) fn check_kind(code: &CodeObject) -> Result<(), Diagnostic> {
    if !code.is_suspendable() {
        return Ok(());
    }
    let (what, instead) = match &*code.name {
        "<genexpr>" => (
            "generator expressions are",
            "use a list comprehension or a loop",
        ),
        _ => (
            "generators and coroutines are",
            "fill an array or a list and return it",
        ),
    };
    Err(Diagnostic::at_start(code, format!("{what} not supported")).with_note(instead))
}

/// Refuses `try` and `with`: what has an exception table in a function that is no generator.
pub(super) fn check_exception_handlers(
    code: &CodeObject,
    flow: &ControlFlow,
) -> Result<(), Diagnostic> {
    let handlers = code.exception_handlers().map_err(|error| {
        Diagnostic::at_start(code, format!("{error} of '{}'", code.qualified_name))
    })?;
    let Some(first) = handlers.iter().min_by_key(|handler| handler.start) else {
        return Ok(());
    };
    let with = |instruction: &&Instruction| {
        matches!(instruction.op(), Op::BeforeWith | Op::BeforeAsyncWith)
    };
    if let Some(instruction) = flow.instructions.iter().find(with) {
        return Err(unsupported(code, instruction));
    }
    // The protected range begins after the NOP that stands for the line of `try`.
    let index = flow
        .instructions
        .partition_point(|instruction| instruction.offset < first.start);
    let mark = index
        .checked_sub(1)
        .filter(|&before| flow.instructions[before].op() == Op::Nop);
    let position = flow
        .instructions
        .get(mark.unwrap_or(index))
        .map(|instruction| instruction.position);
    let error = Diagnostic::new(code, position.unwrap_or_default(), "'try' is not supported");
    Err(error.with_note(
        "test for the error beforehand with 'if', or catch the exception in the caller, in Python",
    ))
}

/// The diagnostic for an instruction that no family handles.
pub(super) fn unsupported(code: &CodeObject, instruction: &Instruction) -> Diagnostic {
    let (what, instead) = match instruction.op() {
        Op::BeforeWith | Op::BeforeAsyncWith | Op::WithExceptStart => (
            "'with' is",
            Some("enter the context in the caller, in Python"),
        ),
        Op::LoadBuildClass | Op::LoadClassDeref => (
            "a class defined in a compiled function is",
            Some("define it in the module"),
        ),
        Op::MatchClass | Op::MatchKeys | Op::MatchMapping | Op::MatchSequence | Op::GetLen => (
            "'match' on patterns is",
            Some("compare with 'if' and 'elif'"),
        ),
        Op::YieldValue | Op::ReturnGenerator | Op::GetYieldFromIter | Op::Send => {
            ("'yield' is", Some("fill an array or a list and return it"))
        }
        Op::GetAwaitable | Op::GetAiter | Op::GetAnext | Op::EndAsyncFor | Op::AsyncGenWrap => {
            ("asynchronous code is", None)
        }
        Op::PushExcInfo
        | Op::PopExcept
        | Op::CheckExcMatch
        | Op::CheckEgMatch
        | Op::PrepReraiseStar
        | Op::Reraise => ("'try' is", Some("test for the error beforehand with 'if'")),
        Op::ImportStar => (
            "'from … import *' is",
            Some("import the names that are used"),
        ),
        Op::DeleteGlobal => ("'del' of a global is", None),
        Op::DeleteDeref => ("'del' of a variable that an inner function uses is", None),
        Op::LoadName | Op::StoreName | Op::DeleteName | Op::SetupAnnotations => (
            "the body of a module or class is",
            Some("only functions are compiled"),
        ),
        op => {
            let message = format!("the instruction {op} is not supported");
            return Diagnostic::new(code, instruction.position, message);
        }
    };
    let error = Diagnostic::new(code, instruction.position, format!("{what} not supported"));
    match instead {
        Some(instead) => error.with_note(instead),
        None => error,
    }
}
