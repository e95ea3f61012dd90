//! Computes the neighborhood of stencils from the offsets of their accesses.

use super::kernel::{Kernel, constant};
use crate::infra::{
    OperationExt, PassContext, PassResult, PassSpec, StatisticSpec, ValueExt,
    ops::{func, stencil},
};
use melior::ir::{OperationRef, operation::OperationLike};
use pyopt_dialects::typed::array_type;

/// The `stencil-infer-neighborhood` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A `stencil.apply` without a neighborhood gets the smallest one that holds the \
                  current element and all offsets. They must be constants; where they aren't, the \
                  program has to give the neighborhood.",
    anchor: func::Func::NAME,
    dialects: &["stencil"],
    statistics: &[StatisticSpec::new("inferred", "neighborhoods inferred")],
    ..PassSpec::new(
        "stencil-infer-neighborhood",
        "infer the neighborhoods of stencils",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    for apply in function.nested_ops::<stencil::Apply>() {
        if apply.neighborhood().is_none() {
            infer(cx, Kernel(apply))?;
            cx.bump("inferred", 1);
        }
    }
    Ok(())
}

fn infer<'c: 'a, 'a>(cx: &PassContext<'c>, kernel: Kernel<'c, 'a>) -> PassResult {
    let rank = array_type(kernel.0.result().ty()).map_or(0, |array| array.rank);
    let mut bounds = vec![[0, 0]; rank];
    let mut any = false;
    for access in kernel.accesses() {
        if !access.relative {
            continue;
        }
        any = true;
        for (bounds, offset) in bounds.iter_mut().zip(access.offsets()) {
            let Some(offset) = constant(offset) else {
                return Err(cx.error(
                    access.operation.location(),
                    "a relative index of the kernel isn't constant: the stencil needs the \
                     option 'neighborhood'",
                ));
            };
            bounds[0] = bounds[0].min(offset);
            bounds[1] = bounds[1].max(offset);
        }
    }
    if !any {
        return Err(cx.error(
            kernel.0.location(),
            "stencil: the kernel doesn't read any array relative to the current element",
        ));
    }
    let flat: Vec<_> = bounds.into_iter().flatten().collect();
    kernel.0.set_neighborhood(Some(&flat));
    Ok(())
}
