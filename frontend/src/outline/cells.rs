//! Variables that inner functions have a part in: they are read and written through cells, and an outlined part
//! has cells of its own.

use super::region::{Region, Walk};
use crate::{
    bit_set::BitSet,
    bytecode::{self, Instruction},
    code::CodeObject,
    diagnostic::Diagnostic,
    op::Op,
    value::Value,
};
use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

/// Comprehensions that end where they are made: nobody calls them again.
const ENDED: [&str; 3] = ["<listcomp>", "<setcomp>", "<dictcomp>"];

/// The variables of enclosing functions that functions write, by the symbols of these.
pub type InnerStores = HashMap<String, BTreeSet<Arc<str>>>;

/// Finds what each function, or one inside of it, writes of the enclosing ones; inner functions come behind those
/// that they are in.
pub fn inner_stores<'a>(
    functions: impl DoubleEndedIterator<Item = (&'a str, &'a CodeObject)>,
) -> Result<InnerStores, Diagnostic> {
    let mut found = InnerStores::new();
    for (symbol, code) in functions.rev() {
        let mut names = BTreeSet::new();
        for instruction in bytecode::decode(code)? {
            let local = instruction.index();
            let stores = matches!(instruction.op(), Op::StoreDeref | Op::DeleteDeref);
            if stores && code.is_free(local) {
                names.extend(code.local_names.get(local).cloned());
            }
        }
        for constant in code.constants.iter() {
            if let Value::CodeSymbol(inner) = constant {
                let passed_on = found.get(&**inner).into_iter().flatten();
                names.extend(passed_on.filter(|name| is_free(code, name)).cloned());
            }
        }
        if !names.is_empty() {
            found.insert(symbol.to_owned(), names);
        }
    }
    Ok(found)
}

fn is_free(code: &CodeObject, name: &Arc<str>) -> bool {
    code.free_names().any(|free| free == name)
}

/// The variables of the function itself that inner functions write which a region makes.
pub(super) fn stored_inside(walk: &Walk, region: &Region, stores: &InnerStores) -> BitSet {
    let mut stored = BitSet::new(walk.code.local_names.len());
    for &index in &region.instructions {
        let Some(Value::CodeSymbol(inner)) = walk.instructions[index].constant(walk.code) else {
            continue;
        };
        let names = stores.get(&*inner).into_iter().flatten();
        let locals = names.filter_map(|name| {
            let mut locals = walk.code.local_names.iter();
            locals.position(|local| local == name)
        });
        for local in locals.filter(|local| walk.code.is_cell(*local)) {
            stored.insert(local);
        }
    }
    stored
}

/// The variables whose cells inner functions have that are made outside of a region: they may read them behind it.
pub(super) fn captured_outside(walk: &Walk, region: &Region) -> BitSet {
    let mut captured = BitSet::new(walk.code.local_names.len());
    for (index, instruction) in walk.instructions.iter().enumerate() {
        let is_outside = walk.depths[index].is_some() && !region.contains(index);
        let is_capture = match instruction.op() {
            Op::LoadClosure => true,
            // Of a variable in a cell it gives the cell.
            Op::LoadFast => walk.code.is_cell(instruction.index()),
            _ => false,
        };
        if is_outside && is_capture && !is_ended(walk, index) {
            captured.insert(instruction.index());
        }
    }
    captured
}

/// Whether the inner function that gets a cell is a comprehension.
fn is_ended(walk: &Walk, capture: usize) -> bool {
    let mut behind = walk.instructions[capture..].iter();
    let made = behind.find_map(|one: &Instruction| match one.constant(walk.code) {
        Some(Value::CodeSymbol(symbol)) => Some(symbol),
        _ => None,
    });
    made.is_some_and(|symbol| {
        let name = symbol.rsplit(".<locals>.").next().unwrap_or_default();
        ENDED.iter().any(|ended| name.starts_with(ended))
    })
}
