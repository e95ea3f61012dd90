//! Makes room in a list once for several appends.
//!
//! Each append reserves room, tests whether memory was short, and stores. Bytecode writes a long
//! display as an empty list and one append per item, so that a display of a thousand items would
//! become a thousand branches.

use crate::{
    analysis::effects::{Footprint, may_alias},
    infra::{
        AttributeExt, BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec,
        StatisticSpec, ValueExt,
        emit::Emit,
        ops::{func, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, ValueLike, attribute::IntegerAttribute};

/// The `typed-merge-reservations` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Reservations of constant numbers of items in one list, in one block, become one \
        where the first one stands. It is legal as long as nothing between them takes room in the \
        list but the pushes for which room was made, or writes other memory: a handler of the \
        `MemoryError`, which is then raised earlier, would not find it written.",
    anchor: func::Func::NAME,
    dialects: &["typed"],
    statistics: &[StatisticSpec::new(
        "merged",
        "reservations that an earlier one makes needless",
    )],
    ..PassSpec::new(
        "typed-merge-reservations",
        "make room in a list once for several appends",
        run,
    )
};

/// For so many lists at once room is remembered, which keeps the pass linear.
const MOST_LISTS: usize = 8;

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    for operation in function.post_order() {
        for block in operation.nested_blocks() {
            merge(cx, &builder, block);
        }
    }
    Ok(())
}

/// A reservation that may grow by later ones, and how many items these add.
struct Room<'c, 'a> {
    first: typed::ListReserve<'c, 'a>,
    count: i64,
    later: Vec<typed::ListReserve<'c, 'a>>,
}

/// Merges the reservations of a block.
fn merge<'c, 'a>(cx: &PassContext<'c>, builder: &Builder<'c, 'a>, block: BlockRef<'c, 'a>) {
    let mut open: Vec<Room<'c, 'a>> = Vec::new();
    let mut done = Vec::new();
    for operation in block.operation_list() {
        let (list, reserve) = match typed::Op::of(operation) {
            Some(typed::Op::ListReserve(reserve)) => (reserve.list(), Some(reserve)),
            Some(typed::Op::ListPush(push)) => (push.list(), None),
            _ => {
                let footprint = Footprint::of(operation);
                if footprint.unknown || !footprint.writes.is_empty() {
                    done.append(&mut open);
                }
                continue;
            }
        };
        let shared = |room: &mut Room<'c, 'a>| {
            room.first.list() != list && may_alias(room.first.list(), list)
        };
        done.extend(open.extract_if(.., shared));
        let Some(reserve) = reserve else { continue };
        let place = open.iter().position(|room| room.first.list() == list);
        let sum = place.and_then(|at| open[at].count.checked_add(count(reserve)?));
        match (place, sum.filter(|_| only_checked(reserve))) {
            (Some(at), Some(sum)) => {
                open[at].count = sum;
                open[at].later.push(reserve);
                continue;
            }
            (Some(at), None) => done.push(open.remove(at)),
            (None, _) => {}
        }
        if let Some(count) = count(reserve) {
            if open.len() == MOST_LISTS {
                done.push(open.remove(0));
            }
            let later = Vec::new();
            open.push(Room {
                first: reserve,
                count,
                later,
            });
        }
    }
    done.append(&mut open);
    for room in done.into_iter().filter(|room| !room.later.is_empty()) {
        cx.bump("merged", room.later.len() as u64);
        room.enlarge(builder);
    }
}

impl<'c: 'a, 'a> Room<'c, 'a> {
    /// Makes room for all in the first reservation.
    fn enlarge(self, builder: &Builder<'c, 'a>) {
        let r#type = self.first.count().r#type();
        let value = IntegerAttribute::new(r#type, self.count).into();
        let count = builder.before(*self.first).typed_constant(r#type, value);
        self.first
            .set_operand_value(typed::ListReserve::COUNT_OPERAND, count);
        for reserve in self.later {
            for check in reserve.failed().users() {
                builder.erase_op(check);
            }
            builder.erase_op(*reserve);
        }
    }
}

/// The number of items, if it is a constant that isn't negative.
fn count<'c: 'a, 'a>(reserve: typed::ListReserve<'c, 'a>) -> Option<i64> {
    let count = typed::Constant::defining(reserve.count())?;
    count.value().integer_value().filter(|count| *count >= 0)
}

/// Whether only checks for errors ask whether memory was short.
fn only_checked<'c: 'a, 'a>(reserve: typed::ListReserve<'c, 'a>) -> bool {
    let users = reserve.failed().users();
    users.into_iter().all(|user| user.isa::<typed::RaiseIf>())
}
