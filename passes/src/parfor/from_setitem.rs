//! Makes parallel loops of assignments to slices and whole arrays.

use super::conversion::{Conversion, THREADS};
use crate::infra::{
    Builder, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec,
    ops::{func, marks, typed},
};
use melior::ir::OperationRef;

/// The `parfor-from-setitem` pass.
pub static PASS: PassSpec = PassSpec {
    description: "`typed.assign` becomes a `parfor.loop` that stores to the target. An expression \
                  that `parfor-from-numpy` left to it is computed right there. Sources that overlap \
                  the target at run time are copied first.",
    anchor: func::Func::NAME,
    dialects: &["arith", "parfor", "scf", "typed"],
    options: &[THREADS],
    statistics: &[StatisticSpec::new("loops", "parallel loops made")],
    ..PassSpec::new(
        "parfor-from-setitem",
        "make parallel loops of assignments to slices",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    convert(cx, function, false);
    Ok(())
}

/// Converts the assignments of in-place operators, or the others.
pub(super) fn convert<'c, 'a>(
    cx: &PassContext<'c>,
    function: OperationRef<'c, 'a>,
    in_place: bool,
) {
    let builder = Builder::new(cx.context(), function);
    let mut pass = Conversion::new(cx, &builder);
    for operation in function.nested_ops::<typed::Assign>() {
        if operation.flag_attr(marks::INPLACE) == in_place {
            builder.before(*operation);
            pass.assign(operation);
            cx.bump("loops", 1);
        }
    }
}
