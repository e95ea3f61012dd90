//! Arrays whose contents nobody has defined yet.

use crate::{
    analysis::{effects::Footprint, ownership::owns},
    infra::{OperationExt, OperationInterfaces, ValueExt, ops::typed, view_root},
};
use melior::ir::{OperationRef, Value};

/// Whether the elements of an array are undefined when an operation begins: it was allocated in a block
/// around the operation, and nothing between has stored to it or handed it on. In a loop that the
/// allocation isn't in, earlier iterations may have.
pub(super) fn is_undefined<'c: 'a, 'a>(
    array: Value<'c, 'a>,
    operation: OperationRef<'c, 'a>,
) -> bool {
    let root = view_root(array);
    if typed::Empty::defining(root).is_none_or(|empty| empty.zeroed()) {
        return false;
    }
    let block = root.defining_block();
    let mut around = operation;
    while around.parent_block() != Some(block) {
        match around.parent() {
            Some(parent) if !parent.is_loop() => around = parent,
            _ => return false,
        }
    }
    !is_touched(root, operation, around)
}

/// Whether an array, or a view of it, is used up to `around` by what may store to it or hands it on, the
/// operation in it aside.
fn is_touched<'c: 'a, 'a>(
    array: Value<'c, 'a>,
    operation: OperationRef<'c, 'a>,
    around: OperationRef<'c, 'a>,
) -> bool {
    let block = around.parent_block();
    array.distinct_users().into_iter().any(|user| {
        let mut outermost = user;
        while outermost.parent_block() != block {
            match outermost.parent() {
                Some(parent) => outermost = parent,
                None => return true,
            }
        }
        if user.is_within(operation) || around.is_before(outermost) {
            return false;
        }
        if user.view_source() == Some(array) {
            let mut views = user.result_values().into_iter();
            return views.any(|view| is_touched(view, operation, around));
        }
        let mut footprint = Footprint::default();
        footprint.add_alone(user);
        let hands_on = user.is_terminator() || user.result_types().into_iter().any(owns);
        hands_on || footprint.writes_anything()
    })
}
