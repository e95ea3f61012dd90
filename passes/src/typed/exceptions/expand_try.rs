//! Makes explicit control flow of what may raise in a `try`.
//!
//! A check becomes a conditional branch to the handler, a call a `typed.try_call` whose status is
//! tested. Operations that raise only in their lowered form, such as those on arrays, are outlined
//! first and called. So no later pass has to know about handlers.

use super::{outline::outline, prange_in_try::outline_loops};
use crate::{
    analysis::effects::may_raise,
    infra::{
        BlockExt, Builder, CmpInt, OperationAttributes, OperationExt, OptionSpec, PassContext,
        PassResult, PassSpec, RegionExt, StatisticSpec, ValueExt,
        ops::{func, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, Type, Value, operation::OperationLike};
use pyopt_dialects::typed::TypedType;

/// Expands `typed.try_br`.
pub static PASS: PassSpec = PassSpec {
    description: "In a block that ends with `typed.try_br`, a `typed.raise_if` becomes a \
        `cf.cond_br` to a block that makes the exception and goes to the handler, a `typed.call` \
        becomes a `typed.try_call`, and other operations that may raise are put into a private \
        function, with what stands between them. A block in which nothing raises just goes on.",
    dialects: &["arith", "cf", "func", "typed"],
    options: &[OptionSpec::bool(
        "parallel",
        "prange loops are for threads: those in a try become functions, which raise at their end",
        false,
    )],
    statistics: &[
        StatisticSpec::new(
            "outlined",
            "functions made of operations that raise only in their lowered form",
        ),
        StatisticSpec::new("loops", "functions made of prange loops"),
    ],
    ..PassSpec::new(
        "typed-expand-try",
        "make branches of what may raise in a try",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), module);
    if cx.options().bool("parallel") {
        for function in module.nested_ops::<func::Func>() {
            let loops = outline_loops(&builder, module, function)?;
            cx.bump("loops", loops as u64);
        }
    }
    for function in module.nested_ops::<func::Func>() {
        let mut parts = 0;
        for block in function.body().block_list() {
            let Some(end) = block.terminator_op().and_then(typed::TryBr::of) else {
                continue;
            };
            let expansion = Expansion {
                builder: &builder,
                handler: end.unwind(),
            };
            for step in steps(block) {
                match step {
                    Step::Check(check) => expansion.check(check)?,
                    Step::Call(call) => expansion.call(call)?,
                    Step::Part(operations) => {
                        parts += 1;
                        cx.bump("outlined", 1);
                        let name = format!("try.{parts}");
                        let call = outline(&builder, module, function, &name, &operations)?;
                        expansion.call(call)?;
                    }
                }
            }
            builder.before(*end).at(end.location());
            crate::typed::control_flow::branch::branch(
                &builder,
                end.normal(),
                &end.normal_operands(),
            );
            builder.erase_op(*end);
        }
    }
    Ok(())
}

/// What is to be expanded in a block, in order.
enum Step<'c, 'a> {
    /// A check, with a branch of its own.
    Check(typed::RaiseIf<'c, 'a>),
    /// A call, whose status is tested.
    Call(typed::Call<'c, 'a>),
    /// Consecutive operations to outline; the first and the last raise only in their lowered form.
    Part(Vec<OperationRef<'c, 'a>>),
}

fn steps<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<Step<'c, 'a>> {
    let mut steps = Vec::new();
    // Operations after the last part, which join it if another one follows.
    let mut between = Vec::new();
    for operation in block.operation_list() {
        if operation.is_terminator() {
            break;
        }
        if let Some(check) = typed::RaiseIf::of(operation) {
            steps.push(Step::Check(check));
        } else if let Some(call) = typed::Call::of(operation) {
            steps.push(Step::Call(call));
        } else if may_raise(operation) {
            match steps.last_mut() {
                Some(Step::Part(part)) if !between.iter().any(|op| stays(*op)) => {
                    part.append(&mut between);
                    part.push(operation);
                }
                _ => steps.push(Step::Part(vec![operation])),
            }
            between.clear();
            continue;
        } else {
            between.push(operation);
            continue;
        }
        between.clear();
    }
    steps
}

/// Whether an operation must stay in the function of its users: the lowering of a loop over an
/// iterator looks at the operation that makes the iterator.
fn stays(operation: OperationRef) -> bool {
    operation
        .result_types()
        .into_iter()
        .any(|ty| matches!(TypedType::from(ty), TypedType::Iter(_)))
}

/// Expands one block.
struct Expansion<'p, 'c, 'a> {
    builder: &'p Builder<'c, 'a>,
    /// The handler.
    handler: BlockRef<'c, 'a>,
}

impl<'c: 'a, 'a> Expansion<'_, 'c, 'a> {
    /// `typed.raise_if` becomes a branch to a block that makes the exception.
    fn check(&self, check: typed::RaiseIf<'c, 'a>) -> PassResult {
        self.leave_if(*check, check.condition(), |builder, exception| {
            let values = check.values();
            let made = typed::Exception::create(builder, check.exception(), &values, &[exception]);
            made.set_message(check.message());
            made.result()[0]
        })?;
        self.builder.erase_op(*check);
        Ok(())
    }

    /// `typed.call` becomes `typed.try_call` and a branch on its status.
    fn call(&self, call: typed::Call<'c, 'a>) -> PassResult {
        let builder = self.builder;
        let types: Vec<_> = call.results().into_iter().map(ValueExt::ty).collect();
        builder.before(*call).at(call.location());
        let (callee, inputs) = (call.callee(), call.inputs());
        let tried = typed::TryCall::create(builder, callee, &inputs, builder.i(32), &types);
        let status = tried.status();
        let raised = builder.cmpi(CmpInt::Ne, status, builder.int(status.ty(), 0));
        self.leave_if(*call, raised, |builder, exception| {
            typed::Catch::create(builder, status, &[exception]).result()[0]
        })?;
        builder.replace_op(*call, &tried.results());
        Ok(())
    }

    /// Inserts, before an operation, a branch to a block that passes an exception to the handler.
    fn leave_if(
        &self,
        operation: OperationRef<'c, 'a>,
        condition: Value<'c, 'a>,
        exception: impl FnOnce(&Builder<'c, 'a>, Type<'c>) -> Value<'c, 'a>,
    ) -> PassResult {
        let builder = self.builder;
        let before = operation.required("block", operation.parent_block())?;
        let region = operation.required("region", before.region())?;
        let rest = builder.split_block(operation);
        builder.at(operation.location());
        let thrown = builder.append_block(region, &[]);
        let ty = TypedType::Exception.to_type(builder.context());
        let exception = exception(builder, ty);
        crate::typed::control_flow::branch::branch(builder, self.handler, &[exception]);
        builder.at_end(before);
        let way = |target| crate::typed::control_flow::branch::Edge {
            target,
            operands: Vec::new(),
        };
        crate::typed::control_flow::branch::conditional_branch(
            builder,
            condition,
            &way(thrown),
            &way(rest),
        );
        Ok(())
    }
}
