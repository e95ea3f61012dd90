//! `with f(…):` statements, as `objmode` blocks are written, and their outlining.

use super::{
    Fallback, Outlined,
    cells::{self, InnerStores},
    outline,
    region::{Obstacle, Region, Walk},
    variables::Variables,
};
use crate::{
    bytecode::{self, Instruction},
    code::CodeObject,
    diagnostic::Diagnostic,
    opcodes::Op,
    tables::Position,
    value::Value,
    version::Version,
};
use std::sync::Arc;

/// A name and the attributes that follow it: `pyopt.objmode`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The global or free variable.
    pub root: Arc<str>,
    /// The attributes.
    pub attributes: Vec<Arc<str>>,
}

/// What an argument of the context manager's call is.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A constant.
    Constant(Value),
    /// A name.
    Name(Path),
    /// Anything else.
    Other,
}

/// A `with` statement whose context manager is a name or a call of one.
#[derive(Clone, Debug)]
pub struct WithBlock {
    /// What is called, or stands there by itself.
    pub callee: Path,
    /// The number of positional arguments.
    pub positional: usize,
    /// The keyword arguments.
    pub keywords: Vec<(Arc<str>, Argument)>,
    /// The place of the context manager.
    pub position: Position,
    /// The index of the instruction that enters.
    enter: usize,
    /// The index of the first instruction behind those that enter.
    entered: usize,
    /// The depth of the stack in the body.
    depth: usize,
    /// The index of the call's first instruction.
    begin: usize,
}

/// Makes functions of the bodies of `with` statements, as long as there are some that `outputs`
/// gives the names of the variables for that they hand out; one it declines stays.
///
/// The functions are called `prefix.0`, `prefix.1` and so on. What inner functions write is in `stores`.
pub fn lift_with_blocks(
    code: &CodeObject,
    prefix: &str,
    stores: &InnerStores,
    mut outputs: impl FnMut(&WithBlock) -> Result<Option<Vec<Arc<str>>>, Diagnostic>,
) -> Result<Option<(CodeObject, Vec<Outlined>)>, Diagnostic> {
    let mut rest: Option<CodeObject> = None;
    let mut made = Vec::new();
    'next: loop {
        let current = rest.as_ref().unwrap_or(code);
        let walk = Walk::new(current, code.free_names().count())?;
        for block in blocks(&walk) {
            let Some(names) = outputs(&block)? else {
                continue;
            };
            let name = format!("{prefix}.{}", made.len());
            let (around, body) = lift(&walk, &block, (&names, &name), stores)?;
            made.push(Outlined {
                name,
                code: body,
                outputs: names,
            });
            rest = Some(around);
            continue 'next;
        }
        return Ok(rest.map(|rest| (rest, made)));
    }
}

fn lift(
    walk: &Walk,
    block: &WithBlock,
    (names, name): (&[Arc<str>], &str),
    stores: &InnerStores,
) -> Result<(CodeObject, CodeObject), Diagnostic> {
    let refuse = |at: &Instruction, message: &str, note: &str| {
        Diagnostic::new(walk.code, at.position, message).with_note(note)
    };
    let enter = &walk.instructions[block.enter];
    if walk.instructions.get(block.entered).map(Instruction::op) != Some(Op::PopTop) {
        return Err(refuse(enter, "objmode gives no value", "leave out 'as …'"));
    }
    let left = |at: &Instruction| {
        if at.offset == enter.offset {
            let message = "the end of a with objmode block is never reached";
            return refuse(
                at,
                message,
                "raise behind the block, or under a condition in it",
            );
        }
        let message = "a with objmode block can't be left by return, break or continue";
        match ends_in_each_branch(walk.code.version) {
            false => refuse(
                at,
                message,
                "set a variable in the block and decide behind it",
            ),
            true => refuse(
                at,
                &format!(
                    "{message}, nor end in branches under CPython {}",
                    walk.code.version
                ),
                "set a variable in the block and decide behind it; have it end in a statement \
                 such as y = y",
            ),
        }
    };
    let start = walk.instructions[block.entered].offset;
    let handler = walk.handler(start).map(|handler| handler.target);
    let inside = &walk.instructions[block.entered + 1];
    let (leave, rest) = end(walk, block, handler).map_err(|at| left(&walk.instructions[at]))?;
    let depth = block.depth;
    let instructions = walk
        .region(inside.offset, leave, handler)
        .map_err(|Obstacle::Leaves(at)| left(&walk.instructions[at]))?;
    let region = Region {
        begin: walk.instructions[block.begin].offset,
        enter: inside.offset,
        leave,
        rest,
        depth,
        depth_before: walk.depths[block.begin].unwrap_or_default(),
        instructions,
    };

    let local = |name: &Arc<str>| walk.code.local_names.iter().position(|other| other == name);
    let mut written = Variables::written(walk, &region);
    written.union_with(&cells::stored_inside(walk, &region, stores));
    let mut outputs = Vec::new();
    for name in names {
        let Some(local) = local(name).filter(|&local| !walk.code.is_free(local)) else {
            let message = format!("'{name}' is not a variable of this function");
            let note = "objmode takes the types of variables that the block assigns, by name";
            return Err(refuse(enter, &message, note));
        };
        outputs.push(local);
    }
    let mut behind = Variables::read_behind(walk, &region);
    behind.union_with(&cells::captured_outside(walk, &region));
    if let Some(missing) = written
        .iter()
        .find(|local| behind.contains(*local) && !outputs.contains(local))
    {
        let name = &walk.code.local_names[missing];
        let message = format!("'{name}' is assigned in a with objmode block and used behind it");
        let note = format!("give its type: objmode({name}=\"float64\")");
        return Err(refuse(enter, &message, &note));
    }
    let variables = Variables::new(walk, &region, outputs);
    outline(walk, &region, &variables, name, Fallback::None)
}

/// Whether a version's compiler writes the end of a block once for each branch that comes to it, instead of
/// having the branches meet.
fn ends_in_each_branch(version: Version) -> bool {
    version < Version::PYTHON_3_11
}

/// Where the body of a block ends, and what follows the call of `__exit__` there; the index of an
/// instruction that leaves otherwise.
fn end(walk: &Walk, block: &WithBlock, handler: Option<u32>) -> Result<(u32, u32), usize> {
    let depth = block.depth;
    let mut seen = vec![false; walk.instructions.len()];
    let mut open = vec![block.entered + 1];
    let mut found = None;
    while let Some(index) = open.pop() {
        if std::mem::replace(&mut seen[index], true) {
            continue;
        }
        if walk.depths[index] == Some(depth) && exit_call(walk, index).is_some() {
            if found.is_some() {
                return Err(index);
            }
            found = Some(index);
            continue;
        }
        if walk.depths[index].is_none_or(|at| at < depth) {
            return Err(index);
        }
        open.extend(walk.successors_but(index, handler));
    }
    let Some(leave) = found else {
        return Err(block.enter);
    };
    let offset = |index: usize| walk.instructions[index].offset;
    let behind = exit_call(walk, leave).ok_or(leave)?;
    match behind < walk.instructions.len() {
        true => Ok((offset(leave), offset(behind))),
        false => Err(leave),
    }
}

/// The call of `__exit__` where a block is left without an exception: what loads `None` three times,
/// the call, and what takes its result away.
const EXIT: [&[Op]; 5] = [
    &[],
    &[Op::Copy],
    &[Op::Copy],
    &[Op::Call, Op::CallFunction],
    &[Op::PopTop],
];

/// Where the call of `__exit__` that begins at an instruction ends, if one does.
fn exit_call(walk: &Walk, index: usize) -> Option<usize> {
    let is = |instruction: &Instruction, expected: &[Op]| {
        let is_none = || instruction.constant(walk.code) == Some(Value::None);
        let is_value = !expected.contains(&Op::PopTop) && !expected.contains(&Op::Call);
        expected.contains(&instruction.op()) || is_value && is_none()
    };
    let mut found = (walk.instructions.iter().enumerate().skip(index))
        .filter(|(_, instruction)| !matches!(instruction.op(), Op::Precall | Op::PopBlock));
    let mut end = index;
    for expected in EXIT {
        let (at, _) = found.next().filter(|(_, one)| is(one, expected))?;
        end = at + 1;
    }
    Some(end)
}

/// The `with` statements of a function whose context manager is a name or a call of one, in order.
fn blocks(walk: &Walk) -> Vec<WithBlock> {
    let enters = walk.instructions.iter().enumerate();
    enters
        .filter(|(_, instruction)| instruction.op() == Op::BeforeWith)
        .filter_map(|(index, _)| read(walk, index))
        .collect()
}

/// A value on the stack while the call is read.
#[derive(Clone)]
enum Term {
    Null,
    Value(Argument),
}

fn read(walk: &Walk, enter: usize) -> Option<WithBlock> {
    let below = walk.depths[enter]?.checked_sub(1)?;
    let begin = (0..enter)
        .rev()
        .find(|&index| walk.depths[index] == Some(below))?;
    let entered = bytecode::entered(&walk.instructions, enter);
    // What entering gives is on the stack there.
    let depth = (*walk.depths.get(entered)?)?.checked_sub(1)?;
    let mut stack: Vec<Term> = Vec::new();
    let mut keywords: &[Value] = &[];
    let code = walk.code;
    let written = &walk.instructions[begin..enter];
    let (last, before) = written.split_last()?;
    // Without arguments the parentheses may be left out.
    let is_call = matches!(last.op(), Op::Call | Op::CallFunction);
    let (expression, count) = match is_call {
        true => (before, last.index()),
        false => (written, 0),
    };
    for instruction in expression {
        let argument = instruction.index();
        let name = |index: usize| code.names.get(index).cloned();
        let path = |root| {
            Term::Value(Argument::Name(Path {
                root,
                attributes: Vec::new(),
            }))
        };
        match instruction.op() {
            Op::PushNull => stack.push(Term::Null),
            Op::LoadConst | Op::LoadSmallInt | Op::LoadCommonConstant => {
                let constant = instruction.constant(code);
                stack.push(Term::Value(
                    constant.map_or(Argument::Other, Argument::Constant),
                ));
            }
            Op::LoadGlobal => {
                if argument & 1 != 0 {
                    stack.push(Term::Null);
                }
                stack.push(path(name(argument >> 1)?));
            }
            Op::LoadDeref if code.is_free(argument) => {
                stack.push(path(code.local_names[argument].clone()))
            }
            Op::LoadAttr | Op::LoadMethod => {
                let mut base = stack.pop()?;
                if let Term::Value(Argument::Name(path)) = &mut base {
                    path.attributes.push(name(argument)?);
                } else {
                    base = Term::Value(Argument::Other);
                }
                if instruction.op() == Op::LoadMethod {
                    stack.push(Term::Null);
                }
                stack.push(base);
            }
            Op::KwNames => match code.constants.get(argument)? {
                Value::Tuple(names) => keywords = names,
                _ => return None,
            },
            Op::Precall => {}
            _ => {
                let (popped, pushed) = instruction.effect();
                let kept = stack.len().checked_sub(popped as usize)?;
                stack.truncate(kept);
                stack.resize(kept + pushed as usize, Term::Value(Argument::Other));
            }
        }
    }
    let arguments = stack.split_off(stack.len().checked_sub(count)?);
    if matches!(stack.last(), Some(Term::Null)) {
        stack.pop();
    }
    let Some(Term::Value(Argument::Name(callee))) = stack.pop() else {
        return None;
    };
    let positional = arguments.len().checked_sub(keywords.len())?;
    let value = |term: &Term| match term {
        Term::Null => Argument::Other,
        Term::Value(value) => value.clone(),
    };
    let keywords = keywords.iter().zip(&arguments[positional..]);
    Some(WithBlock {
        callee,
        positional,
        keywords: keywords
            .map(|(name, term)| Some((name.as_str()?.clone(), value(term))))
            .collect::<Option<_>>()?,
        position: last.position,
        enter,
        entered,
        depth,
        begin,
    })
}
