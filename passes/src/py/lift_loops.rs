//! `py-lift-loops`: makes functions of the outermost loops.
//!
//! Numba's loop lifting, on bytecode: a loop becomes a code object of its own, which the rest calls
//! as a free variable. In object mode that variable is a function for machine types; it returns
//! None where the loop has no such types, and the rest runs the loop as it was.

use super::diagnostics::fail;
use crate::infra::{
    BlockExt, OperationExt, PassContext, PassResult, PassSpec, RegionExt, StatisticSpec, ops::py,
};
use melior::ir::{OperationRef, operation::OperationLike};
use pyopt_frontend::{
    code_op::{self, FunctionAttributes},
    outline::lift_loops,
};

/// Loop lifting.
pub static PASS: PassSpec = PassSpec {
    description: "An outermost loop of a `py.code` becomes a `py.code` of its own: one that \
                  control enters and leaves in one place each, outside of try and with, that \
                  neither returns nor yields, and behind which every variable that it assigns and \
                  that is read has a value. The rest calls it as the free variable `loop.N`, with \
                  the variables that it reads; it returns a tuple of those that are read behind \
                  it, or None: then the rest runs the loop itself.",
    dialects: &["py"],
    statistics: &[StatisticSpec::new("lifted", "loops that became functions")],
    ..PassSpec::new("py-lift-loops", "make functions of loops", run)
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let context = cx.context();
    let Some(body) = root.region_at(0).entry() else {
        return Ok(());
    };
    for operation in body.operation_list() {
        if !operation.isa::<py::Code>() {
            continue;
        }
        let function = code_op::read_code(context, operation)
            .map_err(|message| cx.error(operation.location(), message))?;
        let fail = |error| fail(cx, &error);
        let Some((rest, loops)) = lift_loops(&function.code, "loop").map_err(fail)? else {
            continue;
        };
        for one in &loops {
            let symbol = format!("{}.{}", function.symbol, one.name);
            if root.lookup_symbol(&symbol).is_some() {
                let message = format!("a loop would be called @{symbol}, as something else is");
                return Err(cx.error(operation.location(), message));
            }
            let attributes = FunctionAttributes::default();
            code_op::append_code(
                context,
                &body,
                &one.code,
                &symbol,
                &function.globals,
                attributes,
            )
            .map_err(fail)?;
            cx.bump("lifted", 1);
        }
        for (name, value) in code_op::bytecode_attributes(context, &rest) {
            operation.set_attr(name, value);
        }
    }
    Ok(())
}
