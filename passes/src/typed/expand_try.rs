//! Makes explicit control flow of what may raise in a `try`.
//!
//! A check becomes a conditional branch to the handler, a call a `typed.try_call` whose status is
//! tested. Operations that raise only in their lowered form, such as those on arrays, are outlined
//! first and called. So no later pass has to know about handlers.

use super::{outline::outline, prange_in_try::outline_loops};
use crate::infra::{
    BlockExt, Builder, CmpInt, OperationAttributes, OperationExt, OptionSpec, PassContext,
    PassResult, PassSpec, RegionExt, StatisticSpec,
};
use melior::ir::{
    Attribute, BlockRef, OperationRef, Type, Value, attribute::FlatSymbolRefAttribute,
    operation::OperationLike,
};
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
        for function in module.nested("func.func") {
            let loops = outline_loops(&builder, module, function)?;
            cx.bump("loops", loops as u64);
        }
    }
    for function in module.nested("func.func") {
        let mut parts = 0;
        for block in function.region_at(0).block_list() {
            let Some(end) = block.terminator_op().filter(|end| end.is("typed.try_br")) else {
                continue;
            };
            let expansion = Expansion {
                builder: &builder,
                handler: end.successor_blocks()[1],
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
            builder.before(end).at(end.location());
            super::branch::branch(&builder, end.successor_blocks()[0], &end.operand_values());
            builder.erase_op(end);
        }
    }
    Ok(())
}

/// Whether an operation that inference emits may raise.
pub(crate) fn may_raise(operation: OperationRef) -> bool {
    operation.is("typed.raise_if") || operation.is("typed.call") || raises_lowered(operation)
}

/// Whether an operation is lowered to operations that may raise.
fn raises_lowered(operation: OperationRef) -> bool {
    match operation.full_name() {
        "typed.require_equal"
        | "typed.empty"
        | "typed.generate"
        | "typed.array_expr"
        | "typed.broadcast"
        | "typed.broadcast_size"
        | "typed.assign"
        | "typed.reduce"
        | "stencil.apply" => true,
        "typed.raise_if"
        | "typed.call"
        | "typed.load"
        | "typed.store"
        | "typed.item"
        | "typed.list_new"
        | "typed.list_reserve"
        | "typed.list_len"
        | "typed.list_get"
        | "typed.list_set"
        | "typed.list_push"
        | "typed.list_truncate"
        | "typed.iter"
        | "typed.reversed"
        | "typed.enumerate"
        | "typed.zip"
        | "typed.exception"
        | "typed.yield_value" => false,
        _ => !operation.is_pure() && !operation.is_terminator(),
    }
}

/// What is to be expanded in a block, in order.
enum Step<'c, 'a> {
    /// A `typed.raise_if`.
    Check(OperationRef<'c, 'a>),
    /// A `typed.call`.
    Call(OperationRef<'c, 'a>),
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
        if operation.is("typed.raise_if") {
            steps.push(Step::Check(operation));
        } else if operation.is("typed.call") {
            steps.push(Step::Call(operation));
        } else if raises_lowered(operation) {
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
    fn check(&self, check: OperationRef<'c, 'a>) -> PassResult {
        let attributes: Vec<_> = ["exception", "message"]
            .into_iter()
            .filter_map(|name| Some((name, check.attr(name)?)))
            .collect();
        let condition = check.operand_value(0);
        self.leave_if(check, condition, |builder, exception| {
            builder.value("typed.exception", &[], exception, &attributes)
        })?;
        self.builder.erase_op(check);
        Ok(())
    }

    /// `typed.call` becomes `typed.try_call` and a branch on its status.
    fn call(&self, call: OperationRef<'c, 'a>) -> PassResult {
        let builder = self.builder;
        let callee = call.required("callee", call.symbol_attr("callee"))?;
        let callee: Attribute = FlatSymbolRefAttribute::new(builder.context(), callee).into();
        let status = builder.i(32);
        let types = [&[status], &call.result_types()[..]].concat();
        builder.before(call).at(call.location());
        let inputs = call.operand_values();
        let tried = builder.op("typed.try_call", &inputs, &types, &[("callee", callee)]);
        let values = tried.result_values();
        let zero = builder.int(status, 0);
        let raised = builder.cmpi(CmpInt::Ne, values[0], zero);
        self.leave_if(call, raised, |builder, exception| {
            builder.value("typed.catch", &values[..1], exception, &[])
        })?;
        builder.replace_op(call, &values[1..]);
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
        super::branch::branch(builder, self.handler, &[exception]);
        builder.at_end(before);
        let way = |target| super::branch::Edge {
            target,
            operands: Vec::new(),
        };
        super::branch::conditional_branch(builder, condition, &way(thrown), &way(rest));
        Ok(())
    }
}
