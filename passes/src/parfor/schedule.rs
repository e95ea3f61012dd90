//! Chooses the schedule of parallel loops, static or dynamic.

use crate::{
    analysis::{
        nest::Nest,
        shape::{Viewed, given_size, is_index, viewed},
        work::{self, Known},
    },
    infra::{
        BlockExt, Dimension, OperationExt, OperationInterfaces, OptionSpec, PassContext,
        PassResult, PassSpec, StatisticSpec, ValueExt,
        ops::{AnyOp, marks, parfor, scf, typed},
    },
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use pyopt_dialects::{enums::Schedule, typed::TypedType};

/// The `parfor-schedule` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Marks every `parfor.loop` that runs on threads. Iterations that all do the same \
                  are cut into a part a thread (`static`). Where they may take different times \
                  (`dynamic`) there are more parts than threads, which idle threads take: an \
                  iteration calls, repeats something as often as its index, memory or a condition \
                  says, or for as long as it takes. Results don't depend on who ran a part.",
    options: &[OptionSpec::bool(
        "remarks",
        "say of each loop how it is scheduled and why",
        false,
    )],
    statistics: &[StatisticSpec::new(
        "dynamic",
        "loops with iterations that take different times",
    )],
    ..PassSpec::new(
        "parfor-schedule",
        "decide how iterations are given to threads",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>) -> PassResult {
    for operation in module.nested_ops::<parfor::Loop>() {
        let Some(nest) = Nest::of(operation.operation()).filter(runs_on_threads) else {
            continue;
        };
        let uneven = uneven(module, &nest);
        let schedule = match uneven {
            Some(_) => Schedule::Dynamic,
            None => Schedule::Static,
        };
        operation.set_attr(marks::SCHEDULE, schedule.to_attribute(cx.context()));
        cx.bump("dynamic", uneven.is_some().into());
        if cx.options().bool("remarks") {
            let reason = uneven.unwrap_or("all iterations do the same");
            cx.remark_on(
                "schedule",
                operation.location(),
                format!("{} schedule: {reason}", schedule.name()),
            );
        }
    }
    Ok(())
}

/// Whether a loop runs on threads: it isn't nested in another parallel loop.
pub(super) fn runs_on_threads<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> bool {
    !nest.serial && nest.operation.ancestor::<parfor::Loop>().is_none()
}

/// The reason why the cost of iterations may vary.
fn uneven<'c: 'a, 'a>(module: OperationRef<'c, 'a>, nest: &Nest<'c, 'a>) -> Option<&'static str> {
    let operations = nest.operation.pre_order().into_iter();
    operations
        .filter(|operation| *operation != nest.operation)
        .find_map(|operation| match AnyOp::of(operation) {
            _ if operation.is_loop() => match operation.loop_dimensions() {
                Some(dimensions) => uneven_loop(nest, operation, dimensions),
                None => Some("a loop inside runs for as long as it takes"),
            },
            AnyOp::Scf(
                scf::Op::If(_)
                | scf::Op::IndexSwitch(_)
                | scf::Op::Yield(_)
                | scf::Op::ExecuteRegion(_),
            ) => None,
            AnyOp::Typed(typed::Op::Call(call)) => match work::of_call(module, call) {
                Known::Simple(_) => None,
                Known::Any => Some("an iteration calls a function"),
            },
            _ => match work::of_simple(operation) {
                Known::Simple(_) => None,
                Known::Any => Some("an iteration does what may take any time"),
            },
        })
}

/// The reason why the cost of a nested loop with these dimensions may vary between iterations.
fn uneven_loop<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    inner: OperationRef<'c, 'a>,
    dimensions: Vec<Dimension<'c, 'a>>,
) -> Option<&'static str> {
    let parents = std::iter::successors(inner.parent(), |parent| parent.parent());
    let mut parents = parents.take_while(|parent| *parent != nest.operation);
    if parents.any(|parent| parent.isa::<scf::If>() || parent.isa::<scf::IndexSwitch>()) {
        return Some("a loop inside runs under a condition");
    }
    let mut bounds = dimensions.into_iter().flat_map(|one| one.bounds);
    bounds.find_map(|bound| origin(nest, bound))
}

/// The reason why a number may vary between iterations, if it isn't invariant.
fn origin<'c: 'a, 'a>(nest: &Nest<'c, 'a>, value: Value<'c, 'a>) -> Option<&'static str> {
    const INDEX: &str = "a loop inside runs as often as the index says";
    const UNKNOWN: &str = "a loop inside runs as often as an iteration finds out";
    let block = value.defining_block();
    if !block
        .parent()
        .is_some_and(|parent| parent.is_within(nest.operation))
    {
        return None;
    }
    let Some(operation) = value.defining_op() else {
        if nest.indices().contains(&value) {
            return Some(INDEX);
        }
        // The induction variable of an enclosing loop takes the same values in all iterations if
        // its bounds do.
        return match work::inner_index(value) {
            Some(bounds) => bounds.into_iter().find_map(|bound| origin(nest, bound)),
            None => Some(UNKNOWN),
        };
    };
    if let Some(dim) = typed::Dim::of(operation)
        && let Ok(dimension) = usize::try_from(dim.dimension())
        && let Some(sizes) = size(dim.array(), dimension)
    {
        return sizes.into_iter().find_map(|size| size.origin(nest));
    }
    if !operation.is_pure() || !operation.region_list().is_empty() {
        return Some(UNKNOWN);
    }
    let operands = operation.operand_values().into_iter();
    operands
        .filter_map(|operand| origin(nest, operand))
        .max_by_key(|reason| *reason == UNKNOWN)
}

/// What the size of an array's dimension depends on.
enum Size<'c, 'a> {
    Number(Value<'c, 'a>),
    Dimension(Value<'c, 'a>, usize),
}

impl<'c: 'a, 'a> Size<'c, 'a> {
    fn origin(&self, nest: &Nest<'c, 'a>) -> Option<&'static str> {
        match *self {
            Self::Number(number) => origin(nest, number),
            Self::Dimension(array, dimension) => match size(array, dimension) {
                Some(sizes) => sizes.into_iter().find_map(|size| size.origin(nest)),
                None => origin(nest, array),
            },
        }
    }
}

/// What the size of a dimension depends on, if the operation that makes the array says so: of a row
/// `a[i]` not on the index.
fn size<'c: 'a, 'a>(array: Value<'c, 'a>, dimension: usize) -> Option<Vec<Size<'c, 'a>>> {
    let Some(view) = typed::View::defining(array) else {
        return Some(vec![Size::Number(given_size(array, dimension)?)]);
    };
    let whole = |dimension| Size::Dimension(view.array(), dimension);
    Some(match viewed(*view).get(dimension)? {
        Viewed::Whole(dimension) => vec![whole(*dimension)],
        Viewed::Fresh => Vec::new(),
        Viewed::Part => {
            let subscripts = view.subscripts();
            let (at, slice) = subscripts
                .iter()
                .enumerate()
                .filter(|(_, subscript)| !is_index(**subscript))
                .nth(dimension)?;
            let consumes = |subscript: &&Value| TypedType::from(subscript.ty()) != TypedType::None;
            let consumed = subscripts[..at].iter().filter(consumes).count();
            vec![Size::Number(*slice), whole(consumed)]
        }
    })
}
