//! Makes parallel loops of in-place operators on arrays, such as `a += b`.

use super::{conversion::THREADS, from_setitem::convert};
use crate::infra::{PassContext, PassResult, PassSpec, StatisticSpec, ops::func};
use melior::ir::OperationRef;

/// The `parfor-from-inplace-binop` pass.
pub static PASS: PassSpec = PassSpec {
    description: "The `typed.assign` of an in-place operator, which inference marks \
                  `pyopt.inplace`, becomes a `parfor.loop` as other assignments do in \
                  `parfor-from-setitem`. Its operands are combined right there.",
    anchor: func::Func::NAME,
    dialects: &["arith", "parfor", "scf", "typed"],
    options: &[THREADS],
    statistics: &[StatisticSpec::new("loops", "parallel loops made")],
    ..PassSpec::new(
        "parfor-from-inplace-binop",
        "make parallel loops of in-place operators",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    convert(cx, function, true);
    Ok(())
}
