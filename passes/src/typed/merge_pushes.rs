//! Appends several items to a list at once.
//!
//! Each append reads where the list's items and its end are and writes its length. LLVM can't tell
//! an item from the list's fields, so after each item it takes them for changed, and its analyses of
//! memory look back over all items before: a display of thousands of variables took seconds.

use crate::{
    analysis::effects::{Footprint, any_alias, may_alias},
    infra::{
        BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, Raises, StatisticSpec,
        ops::{func, typed},
    },
};
use melior::ir::{BlockRef, OperationRef};

/// The `typed-merge-pushes` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Pushes to one list, in one block, become one where the last one stands. It is \
        legal as long as nothing between them may see the list or raises: a handler of the error \
        would find fewer items.",
    anchor: func::Func::NAME,
    dialects: &["typed"],
    statistics: &[StatisticSpec::new(
        "merged",
        "pushes that became part of a later one",
    )],
    ..PassSpec::new(
        "typed-merge-pushes",
        "append several items to a list at once",
        run,
    )
};

/// So many lists at once may have pushes that wait for a later one, which keeps the pass linear.
const MOST_LISTS: usize = 8;

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    for operation in function.post_order() {
        for pushes in operation.nested_blocks().into_iter().flat_map(mergeable) {
            cx.bump("merged", pushes.len() as u64 - 1);
            merge(&builder, &pushes);
        }
    }
    Ok(())
}

/// Pushes to one list, in program order.
type Pushes<'c, 'a> = Vec<typed::ListPush<'c, 'a>>;

/// The groups of two or more pushes of a block that may become one.
fn mergeable<'c, 'a>(block: BlockRef<'c, 'a>) -> Vec<Pushes<'c, 'a>> {
    let mut open: Vec<Pushes<'c, 'a>> = Vec::new();
    let mut done = Vec::new();
    for operation in block.operation_list() {
        let Some(push) = typed::ListPush::of(operation) else {
            let footprint = Footprint::of(operation);
            if footprint.unknown || footprint.raises != Raises::Nothing {
                done.append(&mut open);
            } else {
                let sees = |pushes: &mut Pushes<'c, 'a>| {
                    let list = [pushes[0].list()];
                    any_alias(&list, &footprint.reads) || any_alias(&list, &footprint.writes)
                };
                done.extend(open.extract_if(.., sees));
            }
            continue;
        };
        let list = push.list();
        let shared = |pushes: &mut Pushes<'c, 'a>| {
            pushes[0].list() != list && may_alias(pushes[0].list(), list)
        };
        done.extend(open.extract_if(.., shared));
        match open.iter_mut().find(|pushes| pushes[0].list() == list) {
            Some(pushes) => pushes.push(push),
            None => {
                if open.len() == MOST_LISTS {
                    done.push(open.remove(0));
                }
                open.push(vec![push]);
            }
        }
    }
    done.append(&mut open);
    done.retain(|pushes| pushes.len() > 1);
    done
}

/// Makes one push of several.
fn merge<'c, 'a>(builder: &Builder<'c, 'a>, pushes: &Pushes<'c, 'a>) {
    let Some(last) = pushes.last() else { return };
    let items: Vec<_> = pushes.iter().flat_map(|push| push.items()).collect();
    typed::ListPush::create(builder.before(**last), last.list(), &items);
    for push in pushes {
        builder.erase_op(**push);
    }
}
