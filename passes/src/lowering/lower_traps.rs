//! Lowers what ends threads of kernels to branches.

use super::{emit::Emit, externals::Externals};
use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, ValueExt,
    ops::{func, llvm, parfor},
};
use melior::ir::{OperationRef, operation::OperationLike};

/// The `lower-traps` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A `parfor.trap_if` becomes a branch to a block that puts the status into the word, \
                  if that is 0, and returns; the one that did so puts the values of its message behind it. Other threads may do so at the same time: which of them \
                  is first isn't known, and one is. Runs on branches: after \
                  `lower-structured-control-flow`.",
    dialects: &["cf", "func", "llvm"],
    ..PassSpec::new("lower-traps", "turn traps into returns", run)
};

fn run<'c, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), module);
    let externals = Externals::default();
    let e = Emit::new(&builder, &externals);
    for trap in module.nested_ops::<parfor::TrapIf>() {
        let pointer = trap.word().ty();
        if pointer != e.ptr() {
            let message = format!(
                "the word is a value of Python's type '{pointer}'; run 'typed-to-memref' before"
            );
            return Err(cx.error(trap.location(), message));
        }
        let region = trap.parent_block().and_then(BlockExt::region);
        let region = region.expect("an operation of a function is in a region");
        e.before(*trap).at(trap.location());
        let before = e.block();
        let rest = e.split_block(*trap);
        let leave = e.append_block(region, &[]);
        let none = e.int(e.i(32), 0);
        let (relaxed, word) = (llvm::AtomicOrdering::Monotonic, trap.word());
        let exchange = llvm::AtomicCmpXchg::create(&e, word, none, trap.status(), relaxed, relaxed);
        let values = trap.values();
        if !values.is_empty() {
            let is_first = e.extract(exchange.res(), &[1], e.i(1));
            let (store, done) = (e.append_block(region, &[]), e.append_block(region, &[]));
            e.at_end(leave);
            e.branch_if(is_first, true, (store, &[]), (done, &[]));
            e.at_end(store).at(trap.location());
            let count = e.int(e.i(32), values.len() as i64);
            e.store(count, e.offset_by(word, 1, e.i(32)), None);
            for (at, value) in (1..).zip(values) {
                e.store(value, e.offset_by(word, at, e.i(64)), None);
            }
            e.branch(done, &[]);
            e.at_end(done).at(trap.location());
        }
        func::Return::create(&e, &[]);
        e.at_end(before).at(trap.location());
        e.branch_if(trap.condition(), true, (leave, &[]), (rest, &[]));
        builder.erase_op(*trap);
    }
    Ok(())
}
