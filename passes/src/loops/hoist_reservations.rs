//! Makes room for the appends of a loop ahead of it, a chunk of iterations at a time.
//!
//! Each append tests whether the list has room and calls the runtime if it hasn't. To LLVM that call may change all
//! memory, so that neither where the items of lists are nor their lengths stay in registers over the loop; and a
//! list that grows item by item is moved several times.

use crate::{
    analysis::{
        affine::constant_of,
        effects::{Footprint, may_alias},
    },
    infra::{
        Access, BlockExt, Builder, Effect, OperationExt, OperationInterfaces, PassContext,
        PassResult, PassSpec, RegionExt, StatisticSpec, ValueExt,
        emit::Emit,
        ops::{arith, func, scf, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, TypeLike, Value, operation::OperationLike};

/// The `typed-hoist-reservations` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Takes loops with a step of one that make room in a list from outside for a constant number of \
                  items in every iteration. Around such a loop comes one over chunks of its iterations, which makes \
                  room for a chunk. It is legal as long as nothing else in the loop may take room in the list. \
                  Appends that not every iteration does are left alone: a list would keep memory that it never \
                  uses. A MemoryError comes up to a chunk of iterations early.",
    anchor: func::Func::NAME,
    dialects: &["arith", "scf", "typed"],
    statistics: &[StatisticSpec::new(
        "hoisted",
        "lists that have room before a loop appends to them",
    )],
    ..PassSpec::new(
        "typed-hoist-reservations",
        "make room for the appends of a loop ahead of it",
        run,
    )
};

/// Iterations in a chunk: few enough that an early exit of the loop wastes little memory.
const CHUNK: i64 = 4096;
/// The most items that an iteration may append to a list.
const MOST_ITEMS: i64 = 64;

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    for r#loop in function.nested_ops::<scf::For>() {
        let rooms = rooms(r#loop);
        if !rooms.is_empty() {
            cx.bump("hoisted", rooms.len() as u64);
            hoist(&builder, r#loop, &rooms);
        }
    }
    Ok(())
}

/// A list that each iteration of a loop appends to.
struct Room<'c, 'a> {
    list: Value<'c, 'a>,
    /// How many items an iteration appends.
    count: i64,
    reserves: Vec<typed::ListReserve<'c, 'a>>,
}

/// The lists for which room may be made ahead of a loop.
fn rooms<'c: 'a, 'a>(r#loop: scf::For<'c, 'a>) -> Vec<Room<'c, 'a>> {
    let mut rooms: Vec<Room<'c, 'a>> = Vec::new();
    let Some(body) = r#loop.region().entry() else {
        return rooms;
    };
    let operations = body.operation_list();
    let reserves = operations
        .iter()
        .copied()
        .filter_map(typed::ListReserve::of);
    for reserve in reserves.filter(|reserve| !reserve.list().is_inside(*r#loop)) {
        let (list, count) = (reserve.list(), count(reserve, body));
        match rooms.iter_mut().find(|room| room.list == list) {
            Some(room) => {
                room.count += count;
                room.reserves.push(reserve);
            }
            None => rooms.push(Room {
                list,
                count,
                reserves: vec![reserve],
            }),
        }
    }
    rooms.retain(|room| room.count <= MOST_ITEMS);
    let steps_by_one =
        constant_of(r#loop.step()) == Some(1) && body.argument_value(0).ty().is_index();
    if rooms.is_empty() || !steps_by_one {
        return vec![];
    }
    for operation in operations.into_iter().flat_map(OperationExt::pre_order) {
        rooms.retain(|room| !room.may_be_taken_by(operation));
    }
    rooms
}

/// How many items a reservation is for; too many if that isn't known, or what follows from a lack of memory isn't
/// just an error.
fn count<'c: 'a, 'a>(reserve: typed::ListReserve<'c, 'a>, body: BlockRef<'c, 'a>) -> i64 {
    let failed = reserve.failed();
    let is_check = |user: &OperationRef<'c, 'a>| {
        user.isa::<typed::RaiseIf>()
            && user.block() == Some(body)
            && user
                .operand_values()
                .iter()
                .all(|operand| *operand == failed)
    };
    constant_of(reserve.count())
        .and_then(|count| i64::try_from(count).ok())
        .filter(|count| (0..=MOST_ITEMS).contains(count) && failed.users().iter().all(is_check))
        .unwrap_or(MOST_ITEMS + 1)
}

impl<'c: 'a, 'a> Room<'c, 'a> {
    /// Whether an operation of the loop, those inside of it aside, may take room that was made for the appends, or
    /// give it up.
    fn may_be_taken_by(&self, operation: OperationRef<'c, 'a>) -> bool {
        let may_be_it =
            |list: Value<'c, 'a>| list.ty() == self.list.ty() && may_alias(list, self.list);
        match typed::Op::of(operation) {
            Some(typed::Op::ListReserve(reserve)) => {
                !self.reserves.contains(&reserve) && may_be_it(reserve.list())
            }
            // Each append to the list has a reservation, which is asked itself.
            Some(typed::Op::ListPush(push)) => push.list() != self.list && may_be_it(push.list()),
            Some(typed::Op::ListGrow(grow)) => may_be_it(grow.list()),
            Some(typed::Op::ListTruncate(truncate)) => may_be_it(truncate.list()),
            Some(typed::Op::ListSet(_)) => false,
            _ if operation.effects().is_some_and(|effects| {
                let keeps =
                    |effect: &Effect| matches!(effect.access, Access::Read | Access::Allocate);
                effects.iter().all(keeps)
            }) =>
            {
                false
            }
            _ => {
                let mut footprint = Footprint::default();
                footprint.add_alone(operation);
                footprint.unknown || footprint.writes.into_iter().any(may_be_it)
            }
        }
    }

    /// Makes room for some iterations ahead of them, where the builder is.
    fn make(&self, builder: &Builder<'c, 'a>, block: BlockRef<'c, 'a>, iterations: Value<'c, 'a>) {
        let items = builder.bin(arith::MulI::NAME, iterations, builder.index(self.count));
        let [first, later @ ..] = &self.reserves[..] else {
            return;
        };
        let items = builder.cast(items, first.count().ty());
        let checks = first.failed().users();
        first.set_operand_value(typed::ListReserve::COUNT_OPERAND, items);
        first.place_at_end(block);
        for check in checks.into_iter().rev() {
            check.place_at_end(block);
        }
        for reserve in later {
            for check in reserve.failed().users() {
                builder.erase_op(check);
            }
            builder.erase_op(**reserve);
        }
    }
}

/// Puts a loop into one over chunks of its iterations, which begin with the reservations.
fn hoist<'c: 'a, 'a>(builder: &Builder<'c, 'a>, r#loop: scf::For<'c, 'a>, rooms: &[Room<'c, 'a>]) {
    builder.before(*r#loop);
    let (lower, upper, inits) = (
        r#loop.lower_bound(),
        r#loop.upper_bound(),
        r#loop.init_args(),
    );
    let types = r#loop.result_types();
    let chunks = scf::For::create(builder, lower, upper, builder.index(CHUNK), &inits, &types);
    for (result, last) in r#loop.results().into_iter().zip(chunks.results()) {
        result.replace_all_uses(last);
    }
    let block = builder.append_block(
        chunks.region(),
        &[&[builder.index_type()], &types[..]].concat(),
    );
    let arguments = block.argument_values();
    builder.at_end(block);
    let rest = builder.bin(arith::SubI::NAME, upper, arguments[0]);
    let count = builder.bin(arith::MinSI::NAME, rest, builder.index(CHUNK));
    let end = builder.bin(arith::AddI::NAME, arguments[0], count);
    // Neither changes anything: LLVM takes the bounds of the inner loop from them, and with these its checks go.
    let first = builder.bin(arith::MaxSI::NAME, arguments[0], lower);
    let end = builder.bin(arith::MinSI::NAME, end, upper);
    for room in rooms {
        room.make(builder, block, count);
        builder.at_end(block);
    }
    r#loop.place_at_end(block);
    r#loop.set_lower_bound(first);
    r#loop.set_upper_bound(end);
    r#loop.set_init_args(&arguments[1..]);
    builder.at_end(block).scf_yield(&r#loop.results());
}
