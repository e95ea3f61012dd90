//! Arithmetic on small integers, in as few bits as it needs.
//!
//! Elements of images are bytes, and programs make 64-bit integers of them before they add and multiply. A vector
//! holds eight of those, where it could hold 32 of 16 bits. LLVM narrows what ends in a truncation as far as that
//! needs no more bits; it knows no bounds of sums, and stops at absolute values, minimums and comparisons.
//!
//! **Soundness.** Operations are done in a narrower type where the intervals of their operands and results, over the
//! mathematical integers, are in it. For operands that are in the type, sums, products, minimums, absolute values and
//! bitwise operations give the same number in both types if it is in the narrower one, so what is extended again is what
//! it was. A comparison of numbers that are in both types has one result.

mod component;

use self::component::Component;
use crate::infra::{Builder, PassContext, PassResult, PassSpec, REMARKS, StatisticSpec, ops::func};
use melior::ir::OperationRef;

/// The `typed-narrow-integers` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Arithmetic in loops on 64-bit integers that were loaded as bytes or as integers of 16 bits is done \
        in 16 or 32 bits where intervals show that this is enough, and pays: where results are converted, compared or \
        stored, rather than extended again at once.",
    anchor: func::Func::NAME,
    dialects: &["typed"],
    options: &[REMARKS],
    statistics: &[StatisticSpec::new(
        "narrowed",
        "groups of operations that are done in fewer bits",
    )],
    ..PassSpec::new(
        "typed-narrow-integers",
        "do arithmetic on small integers in few bits",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    for component in Component::all(function) {
        let location = component.location();
        let width = component.narrow(&builder);
        let message = format!("integers have {width} bits here, of which more fit a vector");
        cx.transformed("narrowed", location, message);
    }
    Ok(())
}
