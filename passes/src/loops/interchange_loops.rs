//! Loop interchange: swaps the loops of a nest whose inner one has a large stride.
//!
//! `for j: for i: a[i, j] = …` touches another cache line in each iteration. Interchanged, the
//! inner loop has unit stride and vectorises.

use super::permutable::{Access, Nest, Pair};
use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, REMARKS, StatisticSpec,
    ValueExt,
    copies::{Mapping, copy},
    emit::{Emit, mapped},
    ops::{func, scf},
};
use melior::ir::{OperationRef, Value, operation::OperationLike};

/// The `typed-interchange-loops` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Takes a loop with a loop in it and nothing behind that, both without carried \
        values, over loads, stores, conditions and what is pure. Each store must be to an element \
        of its own for each pair of positions, or for each outer position where all that touches \
        the array is in the inner loop, and what else touches its array to the same \
        element in the same iteration; other arrays must share no memory with it, which is tested \
        at run time where it isn't known. The loops change places where more accesses then are to \
        elements that follow each other.",
    anchor: func::Func::NAME,
    dialects: &["pyopt", "scf"],
    options: &[REMARKS],
    statistics: &[StatisticSpec::new("interchanged", "pairs of loops")],
    ..PassSpec::new(
        "typed-interchange-loops",
        "let loops walk along rows instead of down columns",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    let loops = function.nested_ops::<scf::For>().into_iter();
    let pairs: Vec<_> = loops.filter_map(interchangeable).collect();
    for pair in pairs {
        let location = pair.outer.location();
        pair.replace(&builder, None, || swap(&pair, &builder));
        let message = "changes places with the loop in it, which then walks along rows";
        cx.transformed("interchanged", location, message);
    }
    Ok(())
}

/// The pair that starts with a loop, if the loops had better change places.
pub(crate) fn interchangeable<'c: 'a, 'a>(outer: scf::For<'c, 'a>) -> Option<Pair<'c, 'a>> {
    Pair::of(
        outer,
        |nest: &Nest<'_, 'c, 'a>, accesses: &[Access<'c, 'a>]| {
            let [outer, inner] = nest.jumps(accesses);
            outer < inner
        },
    )
}

/// The interchanged nest.
fn swap<'c: 'a, 'a>(pair: &Pair<'c, 'a>, builder: &Builder<'c, 'a>) {
    let mut mapping = Mapping::new();
    for operation in &pair.invariant {
        copy(builder, *operation, &mut mapping);
    }
    let (first, first_position) = open(builder, pair.inner, &mapping);
    let (second, second_position) = open(builder, pair.outer, &mapping);
    pair.copy_body(builder, &mut mapping, [second_position, first_position]);
    builder.scf_yield(&[]);
    builder.after(*second);
    builder.scf_yield(&[]);
    builder.after(*first);
}

/// Emits a loop with the bounds of another one and moves the insertion point into it.
fn open<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    r#loop: scf::For<'c, 'a>,
    mapping: &Mapping<'c, 'a>,
) -> (scf::For<'c, 'a>, Value<'c, 'a>) {
    let [lower, upper, step] = [r#loop.lower_bound(), r#loop.upper_bound(), r#loop.step()]
        .map(|bound| mapped(mapping, bound));
    let made = scf::For::create(builder, lower, upper, step, &[], &[]);
    let block = builder.append_block(made.region(), &[lower.ty()]);
    (made, block.argument_value(0))
}
