//! Makes the host wait for the device before it touches memory.

use crate::{
    analysis::effects::Footprint,
    infra::{
        BlockExt, Builder, Identity, Key, OperationAttributes, OperationExt, OperationInterfaces,
        PassContext, PassResult, PassSpec, RegionExt, StatisticSpec, ValueExt,
        ops::{AnyOp, func, marks, parfor, typed},
        view_root,
    },
};
use melior::ir::{BlockRef, OperationRef, Value};
use pyopt_dialects::typed::array_type;
use std::collections::BTreeSet;

/// The `parfor-insert-fences` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Behind a `parfor.offload` the memory of the host is older than that of the \
                  device. Before operations that read memory there is a `parfor.fence`, before those \
                  that write it, or do what isn't known, one with `write`, unless there was one on \
                  every path since the last kernel. It is of the arrays that are touched, where these \
                  are known, and says so where it is before a parallel loop. What is known is followed forward through \
                  structured control flow: a loop without kernels has its fence before it. What the \
                  host passes to an entry may be on the device; other functions \
                  are called with all memory on the host, and behind a call of one that runs kernels \
                  some is on the device.",
    dialects: &["parfor"],
    statistics: &[StatisticSpec::new("fences", "fences inserted")],
    ..PassSpec::new(
        "parfor-insert-fences",
        "wait for the device before the host touches memory",
        run,
    )
};

/// Where the newest state of memory is, from what the host may do to what it must not.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Place {
    /// On the host, which may write.
    Host,
    /// On both: the host may read.
    Both,
    /// Maybe on the device.
    Device,
}

/// What is known of memory.
#[derive(Clone, Debug)]
struct Memory {
    /// Where all of it is.
    all: Place,
    /// Arrays, no views, of which more is known.
    arrays: Vec<(Key, Place)>,
}

impl Memory {
    fn at(all: Place) -> Self {
        let arrays = Vec::new();
        Self { all, arrays }
    }

    fn of(&self, array: Key) -> Place {
        let known = self.arrays.iter().filter(|one| one.0 == array);
        known.fold(self.all, |place, one| place.min(one.1))
    }
}

/// What an operation needs before it runs.
enum Need<'c, 'a> {
    /// Any memory at a place.
    All(Place),
    /// These arrays, no views, at a place.
    Arrays(Vec<Value<'c, 'a>>, Place),
}

fn run<'c, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), module);
    let launching = launching(module);
    let fences = Fences {
        cx,
        builder: &builder,
        launching: &launching,
    };
    for function in module.nested_ops::<func::Func>() {
        // What the host passes may be on the device.
        let entry = function.attr(marks::ENTRY).is_some();
        if !entry && !launching.contains(function.sym_name()) {
            continue;
        }
        if !entry {
            fences.check_before_returns(function);
        }
        for (at, block) in function.body().block_list().into_iter().enumerate() {
            // Of branches nothing is known.
            let unknown = entry || at > 0;
            let start = if unknown { Place::Device } else { Place::Host };
            fences.block(block, Memory::at(start));
        }
    }
    Ok(())
}

/// The functions that run kernels, themselves or through calls.
fn launching<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> BTreeSet<&'c str> {
    let functions = module.nested_ops::<func::Func>();
    let mut found = BTreeSet::new();
    loop {
        let before = found.len();
        for function in &functions {
            if launches(**function, &found) {
                found.insert(function.sym_name());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Whether an operation, with those in it, runs kernels.
fn launches<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, launching: &BTreeSet<&'c str>) -> bool {
    let mut operations = operation.pre_order().into_iter();
    operations.any(|operation| match AnyOp::of(operation) {
        AnyOp::Parfor(parfor::Op::Offload(_)) => true,
        AnyOp::Typed(typed::Op::Call(call)) => launching.contains(call.callee()),
        AnyOp::Typed(typed::Op::TryCall(call)) => launching.contains(call.callee()),
        AnyOp::Func(func::Op::Call(call)) => launching.contains(call.callee()),
        _ => false,
    })
}

struct Fences<'x, 'c, 'a> {
    cx: &'x PassContext<'c>,
    builder: &'x Builder<'c, 'a>,
    launching: &'x BTreeSet<&'c str>,
}

impl<'c: 'a, 'a> Fences<'_, 'c, 'a> {
    /// Inserts the fences of a block; gives what is known behind it.
    fn block(&self, block: BlockRef<'c, 'a>, before: Memory) -> Memory {
        let operations = block.operation_list().into_iter();
        operations.fold(before, |memory, operation| {
            self.operation(operation, memory)
        })
    }

    fn operation(&self, operation: OperationRef<'c, 'a>, mut memory: Memory) -> Memory {
        if operation.isa::<parfor::Offload>() {
            return Memory::at(Place::Device);
        }
        if operation.isa::<parfor::Fence>() {
            return memory;
        }
        let launches = launches(operation, self.launching);
        let branches = !operation.region_list().is_empty();
        if branches && (launches || !operation.is_loop()) {
            return self.regions(operation, memory, launches);
        }
        let need = match launches {
            true => Need::All(Place::Host),
            false => need(operation),
        };
        match need {
            Need::All(place) if place < memory.all => {
                self.fence(operation, &[], place);
                memory.all = place;
            }
            Need::Arrays(arrays, place) => {
                let late = |array: &Value<'c, 'a>| place < memory.of(array.key());
                let late: Vec<_> = arrays.into_iter().filter(late).collect();
                if !late.is_empty() {
                    self.fence(operation, &late, place);
                }
                memory
                    .arrays
                    .extend(late.iter().map(|array| (array.key(), place)));
            }
            Need::All(_) => {}
        }
        if launches {
            Memory::at(Place::Device)
        } else {
            memory
        }
    }

    /// An operation that runs kernels in its regions, or that may leave out some of these.
    fn regions(&self, operation: OperationRef<'c, 'a>, before: Memory, launches: bool) -> Memory {
        // What an iteration leaves is what the next one finds.
        let start = match operation.is_loop() {
            true => Memory::at(Place::Device),
            false => before.clone(),
        };
        let mut all = before.all;
        for block in operation.nested_blocks() {
            all = all.max(self.block(block, start.clone()).all);
        }
        match launches {
            true => Memory::at(all),
            // What was known of arrays still is.
            false => Memory { all, ..before },
        }
    }

    /// What the kernels of a function raise has to leave that function, and not a caller of it, which
    /// may catch something else; the host itself looks when an entry returns.
    fn check_before_returns(&self, function: func::Func<'c, 'a>) {
        let kernels = function.nested_ops::<parfor::Offload>();
        if kernels.iter().all(|kernel| kernel.sites().is_none()) {
            return;
        }
        for leave in function.nested_ops::<func::Return>() {
            let fence = parfor::Fence::create(self.builder.before(*leave), &[], &[]);
            fence.set_check(true);
            self.cx.bump("fences", 1);
        }
    }

    fn fence(&self, operation: OperationRef<'c, 'a>, arrays: &[Value<'c, 'a>], place: Place) {
        let fence = parfor::Fence::create(self.builder.before(operation), arrays, &[]);
        fence.set_write(place == Place::Host);
        // Parallel loops that are still here run on the host.
        fence.set_for_loop(operation.isa::<parfor::Loop>());
        self.cx.bump("fences", 1);
    }
}

/// Where memory has to be when an operation runs.
fn need<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Need<'c, 'a> {
    // Kernels are no code of the host.
    if operation.flag_attr(marks::DEVICE) {
        return Need::All(Place::Device);
    }
    let footprint = Footprint::of(operation);
    let (reads, writes) = match footprint.unknown {
        true => (None, None),
        false => (
            older(operation, &footprint.reads),
            older(operation, &footprint.writes),
        ),
    };
    match (reads, writes) {
        (Some(reads), Some(writes)) if writes.is_empty() => Need::Arrays(reads, Place::Both),
        (Some(reads), Some(mut all)) => {
            let others = reads.into_iter().filter(|array| !all.contains(array));
            let others: Vec<_> = others.collect();
            all.extend(others);
            Need::Arrays(all, Place::Host)
        }
        (None, Some(writes)) if writes.is_empty() => Need::All(Place::Both),
        _ => Need::All(Place::Host),
    }
}

/// The arrays that views in an operation lead to, but for memory that it allocates itself, which has
/// not been on the device; `None` if it isn't known which these are.
fn older<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    accessed: &[Value<'c, 'a>],
) -> Option<Vec<Value<'c, 'a>>> {
    let mut found: Vec<Value<'c, 'a>> = Vec::new();
    for root in accessed.iter().map(|array| view_root(*array)) {
        let inside = root.is_inside(operation) || root.defining_op() == Some(operation);
        let fresh = root
            .defining_op()
            .is_some_and(|op| op.isa::<typed::Empty>());
        match inside {
            true if fresh => {}
            false if found.contains(&root) => {}
            false if array_type(root.ty()).is_some() => found.push(root),
            _ => return None,
        }
    }
    Some(found)
}
