//! Loop lifting: the outermost loops of a function become functions of their own.

use super::{
    Fallback, Outlined, outline,
    region::{Region, Walk},
    variables::Variables,
};
use crate::{
    code::CodeObject,
    control_flow::{BlockIndex, Loop},
    diagnostic::Diagnostic,
    opcodes::Op,
};

/// Makes functions of the outermost loops that can be left in one place alone, where all that is
/// read behind them has a value. The function of a loop takes the variables that it reads; where it
/// returns None the rest runs the loop itself.
///
/// The functions are called `prefix.0`, `prefix.1` and so on.
pub fn lift_loops(
    code: &CodeObject,
    prefix: &str,
) -> Result<Option<(CodeObject, Vec<Outlined>)>, Diagnostic> {
    let mut rest: Option<CodeObject> = None;
    let mut made: Vec<Outlined> = Vec::new();
    // Loops that stay as fallbacks are found again, in the order of the original.
    let mut skipped = 0;
    loop {
        let current = rest.as_ref().unwrap_or(code);
        let walk = Walk::new(current, code.free_names().count())?;
        let outermost = outermost(&walk);
        let Some(candidate) = outermost.get(skipped) else {
            return Ok(rest.map(|rest| (rest, made)));
        };
        skipped += 1;
        let Some(region) = region(&walk, candidate) else {
            continue;
        };
        let Some(variables) = variables(&walk, &region) else {
            continue;
        };
        let name = format!("{prefix}.{}", made.len());
        let (around, body) = outline(&walk, &region, &variables, &name, Fallback::Region)?;
        let names = variables.outputs.iter();
        made.push(Outlined {
            name,
            code: body,
            outputs: names
                .map(|&local| current.local_names[local].clone())
                .collect(),
        });
        rest = Some(around);
    }
}

/// The loops that are in no other loop, ascending by place.
fn outermost<'a>(walk: &'a Walk) -> Vec<&'a Loop> {
    let loops = walk.flow.loops();
    let is_inner = |one: &Loop| {
        loops
            .iter()
            .any(|other| other.header != one.header && other.body.contains(&one.header))
    };
    loops.iter().filter(|one| !is_inner(one)).collect()
}

/// The loop with the making of its iterator, if control enters and leaves it in one place each.
fn region(walk: &Walk, candidate: &Loop) -> Option<Region> {
    let offset = |block: BlockIndex| walk.flow.blocks[block].offset;
    let header = walk.index(offset(candidate.header));
    let begin = match walk.instructions[header].op() {
        Op::ForIter | Op::ForIterIndexed => iterable(walk, header)?,
        _ => header,
    };
    let depth = walk.depths[begin]?;
    let leave = walk
        .flow
        .post_dominators(candidate.header)
        .find(|block| {
            !candidate.body.contains(block)
                && walk.depths[walk.index(offset(*block))] == Some(depth)
        })
        .map(offset)?;
    let begin = walk.instructions[begin].offset;
    if walk.handler(begin).is_some() {
        return None;
    }
    let instructions = walk.region(begin, leave, None).ok()?;
    // Another loop, behind this one, is a region of its own.
    let inside = |block: &BlockIndex| {
        instructions
            .binary_search(&walk.index(offset(*block)))
            .is_ok()
    };
    let mut others = walk.flow.loops().iter();
    if others.any(|other| inside(&other.header) && !candidate.body.contains(&other.header)) {
        return None;
    }
    Some(Region {
        begin,
        enter: begin,
        leave,
        rest: leave,
        depth,
        depth_before: depth,
        instructions,
    })
}

/// The first instruction of the expression that a `for` loop goes over.
fn iterable(walk: &Walk, header: usize) -> Option<usize> {
    let mut before = header.checked_sub(1)?;
    while !walk.is_first_part(before) {
        before -= 1;
    }
    if walk.instructions[before].op() != Op::GetIter {
        return None;
    }
    let depth = walk.depths[before]?.checked_sub(1)?;
    (0..before)
        .rev()
        .find(|&index| walk.depths[index] == Some(depth))
}

/// What a loop takes and gives, if both are sure to have values and none is in a cell.
fn variables(walk: &Walk, region: &Region) -> Option<Variables> {
    let written = Variables::written(walk, region);
    let behind = Variables::read_behind(walk, region);
    let outputs: Vec<usize> = written
        .iter()
        .filter(|&local| behind.contains(local))
        .collect();
    let variables = Variables::new(walk, region, outputs);
    let (begin, leave) = (walk.index(region.begin), walk.index(region.leave));
    let is_plain = |local: &usize| walk.code.is_fast_local(*local);
    let has_cells = region.instructions.iter().any(|&index| {
        let instruction = &walk.instructions[index];
        match instruction.op() {
            Op::StoreDeref | Op::DeleteDeref | Op::DeleteFast | Op::MakeFunction => true,
            Op::LoadDeref | Op::LoadClosure => !walk.code.is_free(instruction.index()),
            _ => false,
        }
    });
    let bound = |at: usize| move |local: &usize| !walk.unbound[at].contains(*local);
    let holds = !has_cells
        && variables.inputs.iter().all(is_plain)
        && variables.outputs.iter().all(is_plain)
        && variables.inputs.iter().all(bound(begin))
        && variables.outputs.iter().all(bound(leave));
    holds.then_some(variables)
}
