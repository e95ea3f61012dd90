//! The variables that a region takes and gives, and where they are in the function made of it.

use super::region::{Region, Walk};
use crate::{bit_set::BitSet, bytecode::Instruction, code, opcodes::Op};
use std::{collections::BTreeSet, sync::Arc};

/// How far comprehensions are followed at most; compilers' don't come near.
const MAX_STEPS: usize = 1 << 16;

/// Variables by their index among the locals of the original.
#[derive(Debug)]
pub(super) struct Variables {
    /// What the region reads before it writes it, ascending.
    pub inputs: Vec<usize>,
    /// What the rest reads and the region wrote.
    pub outputs: Vec<usize>,
}

/// The local of the function itself that an instruction reads or writes.
fn touched(walk: &Walk, instruction: &Instruction) -> Option<(usize, bool)> {
    let local = instruction.index();
    let own = |writes| (!walk.code.is_free(local)).then_some((local, writes));
    match instruction.op() {
        Op::LoadFast | Op::LoadDeref | Op::LoadClosure | Op::LoadClassDeref => own(false),
        Op::StoreFast | Op::StoreDeref => own(true),
        Op::DeleteFast | Op::DeleteDeref => own(false),
        _ => None,
    }
}

/// The instructions that store in a local what a comprehension in the function goes over: the local
/// has its own value again behind it.
fn inner_stores(walk: &Walk) -> BitSet {
    let mut stores = BitSet::new(walk.instructions.len());
    for (begin, keeper) in walk.instructions.iter().enumerate() {
        if !matches!(keeper.op(), Op::LoadFastAndClear | Op::ClearFast) {
            continue;
        }
        // With the number of comprehensions that keep the local, one in another.
        let mut seen = BTreeSet::new();
        let mut open = vec![(begin, 0)];
        while let Some((index, around)) = open.pop() {
            if !seen.insert((index, around)) || seen.len() > MAX_STEPS {
                continue;
            }
            let instruction = &walk.instructions[index];
            let is_own = instruction.argument == keeper.argument;
            let around = match instruction.op() {
                Op::LoadFastAndClear | Op::ClearFast if is_own => around + 1,
                Op::RestoreFast | Op::ForgetFast if is_own => around - 1,
                Op::StoreFast if is_own => {
                    stores.insert(index);
                    around
                }
                _ => around,
            };
            if around > 0 {
                // What only moves values doesn't raise, so it is in no comprehension's handler yet.
                let next: Vec<usize> = match instruction.op().is_silent() {
                    true => walk.successors(index).collect(),
                    false => walk.all_successors(index).collect(),
                };
                open.extend(next.into_iter().map(|next| (next, around)));
            }
        }
    }
    stores
}

/// What is live before each of some instructions, ascending by index, when `at_leave` is live where
/// control leaves them.
fn live(
    walk: &Walk,
    instructions: &[usize],
    leave: Option<usize>,
    at_leave: &BitSet,
) -> Vec<BitSet> {
    let none = BitSet::new(walk.code.local_names.len());
    let mut live = vec![none.clone(); walk.instructions.len()];
    if let Some(leave) = leave {
        live[leave] = at_leave.clone();
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &index in instructions.iter().rev() {
            if Some(index) == leave {
                continue;
            }
            let touched = touched(walk, &walk.instructions[index]);
            let mut killed = none.clone();
            let mut before = none.clone();
            match touched {
                Some((local, true)) => {
                    killed.insert(local);
                }
                Some((local, false)) => {
                    before.insert(local);
                }
                None => {}
            }
            for successor in walk.successors(index) {
                before.union_with_difference(&live[successor], &killed);
            }
            // A handler may run before the write.
            for successor in walk.all_successors(index) {
                if !walk.successors(index).any(|other| other == successor) {
                    before.union_with(&live[successor]);
                }
            }
            changed |= live[index].union_with(&before);
        }
    }
    live
}

impl Variables {
    /// The variables that a region writes.
    pub fn written(walk: &Walk, region: &Region) -> BitSet {
        let mut written = BitSet::new(walk.code.local_names.len());
        let inner = inner_stores(walk);
        for &index in &region.instructions {
            let instruction = &walk.instructions[index];
            if inner.contains(index) {
                continue;
            }
            let deletes = matches!(instruction.op(), Op::DeleteFast | Op::DeleteDeref);
            if let Some((local, true)) = touched(walk, instruction) {
                written.insert(local);
            } else if deletes {
                written.insert(instruction.index());
            }
        }
        written
    }

    /// The variables that are read behind a region before they are written.
    pub fn read_behind(walk: &Walk, region: &Region) -> BitSet {
        let all: Vec<usize> = (0..walk.instructions.len())
            .filter(|&index| walk.depths[index].is_some())
            .collect();
        let nothing = BitSet::new(walk.code.local_names.len());
        live(walk, &all, None, &nothing)[walk.index(region.rest)].clone()
    }

    /// The variables of a region that hands out `outputs`.
    pub fn new(walk: &Walk, region: &Region, outputs: Vec<usize>) -> Self {
        let mut at_leave = BitSet::new(walk.code.local_names.len());
        for &output in &outputs {
            at_leave.insert(output);
        }
        let leave = walk.index(region.leave);
        let live = live(walk, &region.instructions, Some(leave), &at_leave);
        let inputs = live[walk.index(region.enter)].iter();
        let bound = bound_before(walk, region);
        let inputs = inputs.filter(|&local| bound.contains(local)).collect();
        Self { inputs, outputs }
    }

    /// The locals of the outlined function.
    pub fn of_body(&self, walk: &Walk, region: &Region) -> Locals {
        let code = walk.code;
        let used = region
            .instructions
            .iter()
            .map(|&index| &walk.instructions[index])
            .filter(|instruction| instruction.op().names_local())
            .map(Instruction::index)
            .filter(|&local| !code.is_free(local));
        let mut own: Vec<usize> = used.chain(self.outputs.iter().copied()).collect();
        own.sort_unstable();
        own.dedup();
        own.retain(|local| !self.inputs.contains(local));
        let (plain, cells): (Vec<_>, Vec<_>) = own
            .into_iter()
            .partition(|&local| code.is_fast_local(local));
        let free = (0..code.local_names.len())
            .filter(|&local| code.is_free(local))
            .take(walk.free);
        let kind = |local| match code.is_fast_local(local) {
            true => code::KIND_LOCAL,
            false => code::KIND_CELL,
        };
        let inputs = self
            .inputs
            .iter()
            .map(|&local| (local, kind(local) | code::KIND_LOCAL));
        let layout = inputs
            .chain(plain.into_iter().map(|local| (local, code::KIND_LOCAL)))
            .chain(cells.into_iter().map(|local| (local, code::KIND_CELL)))
            .chain(free.map(|local| (local, code::KIND_FREE)));
        let (places, kinds): (Vec<usize>, Vec<u8>) = layout.unzip();
        Locals {
            names: places
                .iter()
                .map(|&local| code.local_names[local].clone())
                .collect(),
            kinds,
            places,
        }
    }
}

/// The variables that have a value on some path to a region: parameters, and what is written where
/// control can get to the region from.
fn bound_before(walk: &Walk, region: &Region) -> BitSet {
    let mut reaches = vec![false; walk.instructions.len()];
    reaches[walk.index(region.begin)] = true;
    let mut changed = true;
    while changed {
        changed = false;
        for index in (0..reaches.len()).rev() {
            if !reaches[index] && walk.all_successors(index).any(|next| reaches[next]) {
                reaches[index] = true;
                changed = true;
            }
        }
    }
    let mut bound = BitSet::new(walk.code.local_names.len());
    for parameter in 0..walk.code.parameter_count() {
        bound.insert(parameter);
    }
    let inner = inner_stores(walk);
    for (index, instruction) in walk.instructions.iter().enumerate() {
        if reaches[index]
            && !inner.contains(index)
            && let Some((local, true)) = touched(walk, instruction)
        {
            bound.insert(local);
        }
    }
    bound
}

/// Where the locals of the original are in an outlined function.
pub(super) struct Locals {
    pub names: Vec<Arc<str>>,
    pub kinds: Vec<u8>,
    /// The index in the original of each local.
    places: Vec<usize>,
}

impl Locals {
    /// The index of a local of the original.
    pub fn index(&self, local: usize) -> usize {
        let place = self.places.iter().position(|&place| place == local);
        place.expect("every local that the region touches has a place")
    }

    /// The number of free variables.
    pub fn free(&self) -> usize {
        let kinds = self.kinds.iter();
        kinds.filter(|kind| **kind & code::KIND_FREE != 0).count()
    }

    /// The cells that the function makes.
    pub fn cells(&self) -> impl Iterator<Item = usize> {
        let cells = self.kinds.iter().enumerate();
        cells
            .filter(|(_, kind)| **kind & code::KIND_CELL != 0)
            .map(|(index, _)| index)
    }

    /// The argument that an instruction has here, as bytecode has it.
    pub fn argument(&self, instruction: &Instruction) -> u32 {
        match instruction.op().names_local() {
            true => self.index(instruction.index()) as u32,
            false => instruction.raw,
        }
    }
}
