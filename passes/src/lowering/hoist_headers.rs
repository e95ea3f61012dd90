//! Reads what headers of containers say ahead of the loops in which it stays the same.
//!
//! LLVM moves a load out of a loop only where it is executed anyway or the address is known to be that of memory, and
//! checks of positions stand before the loads of a loop. Here it is known: a container that a loop refers to is alive
//! before it.

use super::externals::Known;
use crate::infra::{
    Access, Builder, Dominance, Effect, OperationAttributes, OperationExt, OperationInterfaces,
    PassContext, PassResult, PassSpec, StatisticSpec, ValueExt,
    ops::{AnyOp, func, llvm, marks, memref, scf, typed},
};
use melior::ir::{OperationRef, Value};

/// The `hoist-headers` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Loads of headers that are marked `pyopt.alive` go before the loops of `scf` that change neither \
                  the container nor the same word of another that may be the same one: by a store, or in a \
                  function that is called. What is allocated in the loop is no container from before.",
    dialects: &["llvm"],
    statistics: &[StatisticSpec::new(
        "hoisted",
        "loads of headers of containers that went before a loop",
    )],
    ..PassSpec::new(
        "hoist-headers",
        "read headers of containers ahead of loops that leave them alone",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), module);
    let memory = Memory {
        dominance: Dominance::new(module),
    };
    // What went before an inner loop is then one of the outer loop's.
    for r#loop in module.post_order() {
        if !r#loop.isa::<scf::For>() && !r#loop.isa::<scf::While>() {
            continue;
        }
        let inside = &r#loop.pre_order()[1..];
        let loads = inside.iter().filter_map(|one| Load::of(*one, r#loop));
        let mut loads: Vec<_> = loads.collect();
        if loads.is_empty() {
            continue;
        }
        for operation in inside {
            loads.retain(|load| !memory.may_change(*operation, &load.header));
        }
        cx.bump("hoisted", loads.len() as u64);
        for load in loads {
            // Two loads may share what computes their address.
            for operation in load.operations {
                if operation.is_within(r#loop) {
                    builder.move_before(operation, r#loop);
                }
            }
        }
    }
    Ok(())
}

/// A load of a word of a container's header that a loop may do ahead.
struct Load<'c, 'a> {
    /// The load, behind what computes its address if the loop does.
    operations: Vec<OperationRef<'c, 'a>>,
    header: Header<'c, 'a>,
}

impl<'c: 'a, 'a> Load<'c, 'a> {
    fn of(operation: OperationRef<'c, 'a>, r#loop: OperationRef<'c, 'a>) -> Option<Self> {
        let load = llvm::Load::of(operation).filter(|load| load.flag_attr(marks::ALIVE))?;
        let header = Header::of(operation, load.addr())?;
        if header.container.is_inside(r#loop) {
            return None;
        }
        let address = load.addr().defining_op();
        let address = address.filter(|address| address.is_within(r#loop));
        Some(Self {
            operations: address.into_iter().chain([operation]).collect(),
            header,
        })
    }
}

/// A word of a container's header.
struct Header<'c, 'a> {
    container: Value<'c, 'a>,
    word: i64,
}

impl<'c: 'a, 'a> Header<'c, 'a> {
    /// What a load or store at an address accesses, if it is marked to access a header.
    fn of(access: OperationRef<'c, 'a>, address: Value<'c, 'a>) -> Option<Self> {
        let word = access.int_attr(marks::HEADER)?;
        let container = match llvm::GEP::defining(address) {
            Some(field) if field.dynamic_indices().is_empty() => field.base(),
            Some(_) => return None,
            None => address,
        };
        Some(Self { container, word })
    }
}

/// Tells what changes headers.
struct Memory<'c, 'a> {
    dominance: Dominance<'c, 'a>,
}

impl<'c: 'a, 'a> Memory<'c, 'a> {
    /// Whether an operation, those inside of it aside, may change what a word of a header says, of a container that
    /// is alive before and behind it.
    fn may_change(&self, operation: OperationRef<'c, 'a>, header: &Header<'c, 'a>) -> bool {
        match AnyOp::of(operation) {
            AnyOp::Llvm(llvm::Op::Store(store)) => {
                operation.int_attr(marks::HEADER) == Some(header.word)
                    && Header::of(operation, store.addr())
                        .is_none_or(|stored| !self.are_apart(&stored, header))
            }
            AnyOp::Func(func::Op::Call(call)) => {
                let known = Known::of_runtime(call.callee());
                matches!(known, Known::Type | Known::ChangesContainer)
            }
            AnyOp::Llvm(llvm::Op::Load(_))
            | AnyOp::Memref(memref::Op::Load(_) | memref::Op::Store(_))
            | AnyOp::Scf(_)
            | AnyOp::Typed(typed::Op::RaiseIf(_)) => false,
            _ => {
                let reads = |effect: &Effect| effect.access == Access::Read;
                !operation
                    .effects()
                    .is_some_and(|effects| effects.iter().all(reads))
            }
        }
    }

    /// Whether one of two containers is allocated when the other one is there already.
    fn are_apart(&self, one: &Header<'c, 'a>, other: &Header<'c, 'a>) -> bool {
        let is_younger = |one: Value<'c, 'a>, other: Value<'c, 'a>| {
            one != other
                && func::Call::defining(one).is_some_and(|call| {
                    matches!(Known::of_runtime(call.callee()), Known::ReturnsContainer(_))
                        && self.dominance.value(other, *call)
                })
        };
        is_younger(one.container, other.container) || is_younger(other.container, one.container)
    }
}
