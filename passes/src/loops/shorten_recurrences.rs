//! Shortens recurrences: what a loop carries is compared last.
//!
//! In `row[j] = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + cost)` each iteration waits for the one
//! before it. Compared from left to right, its element goes through both comparisons; the least of the other
//! two doesn't wait for it, and one comparison is left in the recurrence. LLVM reassociates sums, but neither
//! the least nor the greatest of several.

use crate::{
    infra::{
        BlockExt, Builder, Identity, Key, OperationExt, PassContext, PassResult, PassSpec, REMARKS,
        RegionExt, StatisticSpec, ValueExt,
        emit::Emit,
        ops::{func, scf, typed},
    },
    types::number::Number,
};
use melior::ir::{BlockRef, OperationRef, Value, operation::OperationLike};
use pyopt_dialects::enums::BinaryKind;
use std::collections::HashMap;

/// The `typed-shorten-recurrences` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Takes the least or greatest of three or more ints in the body of a loop, some of which \
        depend on what the loop carries: those that do are compared last, the one that is ready last at the \
        very end, if the recurrence is shorter then.",
    anchor: func::Func::NAME,
    options: &[REMARKS],
    statistics: &[StatisticSpec::new(
        "shortened",
        "comparisons in recurrences",
    )],
    ..PassSpec::new(
        "typed-shorten-recurrences",
        "compare what loops carry last",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    for r#loop in function.nested_ops::<scf::For>() {
        let Some(body) = r#loop.region().entry() else {
            continue;
        };
        let mut delays = Delays::of(body);
        for operation in body.operation_list() {
            let Some(chain) = Chain::of(operation, &delays) else {
                continue;
            };
            let location = chain.root.location();
            chain.reorder(&builder, &mut delays);
            let message = "compares what the iteration before has computed last";
            cx.transformed("shortened", location, message);
        }
    }
    Ok(())
}

/// How many operations in an iteration are between what the loop carries and a value.
struct Delays(HashMap<Key, usize>);

impl Delays {
    fn of(body: BlockRef) -> Self {
        let carried = body.argument_values().into_iter().skip(1);
        let mut delays = Self(carried.map(|value| (value.key(), 1)).collect());
        for operation in body.operation_list() {
            let inside = operation.pre_order().into_iter();
            let operands = inside.flat_map(|inner| inner.operand_values());
            let most = operands.map(|operand| delays.get(operand)).max();
            if let Some(delay) = most.filter(|delay| *delay > 0) {
                let results = operation.result_values().into_iter();
                delays
                    .0
                    .extend(results.map(|result| (result.key(), delay + 1)));
            }
        }
        delays
    }

    /// Nothing for a value that doesn't depend on what is carried.
    fn get(&self, value: Value) -> usize {
        self.0.get(&value.key()).copied().unwrap_or_default()
    }
}

/// Operations of one kind on the results of each other.
struct Chain<'c, 'a> {
    root: typed::Binary<'c, 'a>,
    /// The others, from the root on.
    inner: Vec<typed::Binary<'c, 'a>>,
    /// The operands, in the order in which they are ready.
    leaves: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Chain<'c, 'a> {
    /// The chain that ends with an operation, if another order is better.
    fn of(root: OperationRef<'c, 'a>, delays: &Delays) -> Option<Self> {
        let root = typed::Binary::of(root)?;
        let kind = root.kind();
        if !matches!(kind, BinaryKind::Min | BinaryKind::Max)
            || !Number::of(root.result().ty()).is_some_and(Number::is_integral)
            || continues(root)
        {
            return None;
        }
        let (mut inner, mut leaves) = (Vec::new(), Vec::new());
        let mut rest = vec![root];
        while let Some(one) = rest.pop() {
            for operand in [one.lhs(), one.rhs()] {
                match typed::Binary::defining(operand).filter(|inner| continues(*inner)) {
                    Some(more) if more.kind() == kind => {
                        inner.push(more);
                        rest.push(more);
                    }
                    _ => leaves.push(operand),
                }
            }
        }
        leaves.sort_by_key(|leaf| delays.get(*leaf));
        let count = leaves.len();
        // The first two are combined by as many operations as the second one.
        let late = leaves.iter().enumerate();
        let late = late.map(|(at, leaf)| (delays.get(*leaf), count - at.max(1)));
        let delay = late
            .filter(|(delay, _)| *delay > 0)
            .map(|(delay, steps)| delay + steps);
        let delay = delay.max()?;
        (count > 2 && delay < delays.get(root.result())).then_some(Self {
            root,
            inner,
            leaves,
        })
    }

    fn reorder(&self, builder: &Builder<'c, 'a>, delays: &mut Delays) {
        builder.before(*self.root);
        let kind = self.root.kind();
        let mut leaves = self.leaves.iter().copied();
        let first = leaves.next().expect("a chain has operands");
        let combined = leaves.fold(first, |one, other| {
            let result = builder.binary(kind, one, other);
            let delay = delays.get(one).max(delays.get(other));
            let steps = usize::from(delay > 0);
            delays.0.insert(result.key(), delay + steps);
            result
        });
        self.root.result().replace_all_uses(combined);
        builder.erase_op(*self.root);
        for inner in &self.inner {
            builder.erase_op(**inner);
        }
    }
}

/// Whether a result is used once, by an operation of the same kind in the same block.
fn continues(binary: typed::Binary) -> bool {
    let users = binary.result().users();
    let [user] = users[..] else {
        return false;
    };
    user.parent_block() == binary.parent_block()
        && typed::Binary::of(user).is_some_and(|user| {
            user.kind() == binary.kind() && user.result().ty() == binary.result().ty()
        })
}
