//! Turns blocks that raise into checks.
//!
//! A block that raises is a second exit of every loop around it. As a `typed.raise_if` the raise is
//! an operation like any other, followed by a branch that is never taken when it raises.

use super::branch::{Edge, branch, edges, erase_unreachable, poison, poison_arguments};
use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, RegionExt, StatisticSpec,
    ValueExt,
    ops::{AnyOp, cf, func, stencil, typed},
};
use melior::ir::{
    BlockRef, OperationRef, RegionRef, Value, operation::OperationLike, r#type::FunctionType,
};
use pyopt_dialects::typed::array_type;

/// Folds raises.
pub static PASS: PassSpec = PassSpec {
    description: "A conditional branch to a block that does nothing but raise becomes a \
        `typed.raise_if` on the branch's condition. A block that does something else first keeps \
        it, raises with a constant condition and then goes where its sibling goes, so that a raise \
        in a loop is no exit of the loop.",
    anchor: func::Func::NAME,
    dialects: &["arith", "cf", "func", "typed", "ub"],
    statistics: &[
        StatisticSpec::new(
            "folded",
            "raises that became checks on a branch's condition",
        ),
        StatisticSpec::new("kept", "raises that keep a block of their own"),
    ],
    ..PassSpec::new(
        "typed-fold-raise",
        "turn blocks that raise into checks",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), root);
    for region in root.nested_regions() {
        let fold = Fold {
            cx,
            builder: &builder,
            region,
        };
        erase_unreachable(region);
        // Terminates: each step removes a raise, or an edge to one.
        while let Some((block, raise)) = fold.find() {
            fold.step(block, raise)?;
        }
    }
    Ok(())
}

struct Fold<'p, 'c, 'a> {
    cx: &'p PassContext<'c>,
    builder: &'p Builder<'c, 'a>,
    region: RegionRef<'c, 'a>,
}

impl<'c: 'a, 'a> Fold<'_, 'c, 'a> {
    /// A block that ends with a raise. Blocks that do nothing else come first: folding them leaves
    /// less to be kept alive.
    fn find(&self) -> Option<(BlockRef<'c, 'a>, OperationRef<'c, 'a>)> {
        let mut found = None;
        for block in self.region.block_list() {
            let Some(raise) = block.terminator_op().filter(raises) else {
                continue;
            };
            drop_dead(block);
            if block.first() == Some(raise) {
                return Some((block, raise));
            }
            found = found.or(Some((block, raise)));
        }
        found
    }

    /// Removes one edge to a block that raises, or the block itself when it has no predecessors.
    fn step(&self, block: BlockRef<'c, 'a>, raise: OperationRef<'c, 'a>) -> PassResult {
        let Some(predecessor) = block.predecessor_blocks().into_iter().next() else {
            if self.region.entry() == Some(block) {
                self.builder.before(raise);
                self.raise_always(raise);
                self.leave(raise)?;
                self.builder.erase_op(raise);
            } else {
                erase_unreachable(self.region);
            }
            return Ok(());
        };
        let terminator = predecessor
            .terminator_op()
            .expect("a predecessor ends with a branch");
        let ways = edges(terminator);
        let position = ways
            .iter()
            .position(|way| way.target == block)
            .expect("the predecessor goes here");

        if terminator.isa::<cf::Branch>() {
            self.builder.before(terminator);
            self.copy(block, &ways[position].operands);
            self.builder.erase_op(terminator);
            return Ok(());
        }
        let sibling = ways.get(1 - position.min(1)).filter(|sibling| {
            let last = sibling.target.terminator_op();
            ways.len() == 2 && last.is_some_and(|last| !raises(&last))
        });
        let conditional = cf::CondBranch::of(terminator);
        if let Some(conditional) = conditional
            && block.first() == Some(raise)
        {
            self.fold(raise, conditional, position, &ways);
            return Ok(());
        }

        // A block of its own for this edge, with the same arguments.
        let types: Vec<_> = block
            .argument_values()
            .into_iter()
            .map(|argument| argument.ty())
            .collect();
        let own = self
            .builder
            .at(raise.location())
            .append_block(self.region, &types);
        let copied_raise = self.copy(block, &own.argument_values());
        self.builder.before(copied_raise);
        self.raise_always(copied_raise);
        match sibling {
            // The loop goes on with the next item, unless the item is the one that raises.
            Some(_)
                if terminator.isa::<typed::ForIter>()
                    && position == 0
                    && self.region.entry() != Some(predecessor) =>
            {
                self.go_on(predecessor);
            }
            Some(sibling) if conditional.is_some() => self.go_on(sibling.target),
            _ => self.leave(copied_raise)?,
        }
        self.builder.erase_op(copied_raise);
        terminator.set_successor_block(position, own);
        self.cx.bump("kept", 1);
        Ok(())
    }

    /// Replaces a conditional branch to a raise by a check and a branch to the other successor.
    fn fold(
        &self,
        raise: OperationRef<'c, 'a>,
        terminator: cf::CondBranch<'c, 'a>,
        position: usize,
        ways: &[Edge<'c, 'a>],
    ) {
        let builder = self.builder;
        let sibling = &ways[1 - position];
        builder.before(*terminator).at(raise.location());
        let mut condition = terminator.condition();
        if position == 1 {
            condition = builder.not(condition);
        }
        // The exception may be a block argument, whose value the branch passes.
        let own = &ways[position];
        let arguments = own.target.argument_values();
        let exception = exception(raise).map(|value| {
            let passed = arguments.iter().position(|argument| *argument == value);
            passed.map_or(value, |at| own.operands[at])
        });
        self.raise_if(raise, condition, exception);
        builder.at(terminator.location());
        branch(builder, sibling.target, &sibling.operands);
        builder.erase_op(*terminator);
        self.cx.bump("folded", 1);
    }

    /// Clones the operations of a block at the insertion point; returns the last clone.
    fn copy(&self, block: BlockRef<'c, 'a>, arguments: &[Value<'c, 'a>]) -> OperationRef<'c, 'a> {
        let mut mapping: Vec<_> = block
            .argument_values()
            .into_iter()
            .zip(arguments.iter().copied())
            .collect();
        let mut last = None;
        for operation in block.operation_list() {
            let copy = self.builder.clone_op(operation, &mapping);
            mapping.extend(
                operation
                    .result_values()
                    .into_iter()
                    .zip(copy.result_values()),
            );
            last = Some(copy);
        }
        last.expect("a block ends with a terminator")
    }

    fn raise_always(&self, raise: OperationRef<'c, 'a>) {
        self.raise_if(raise, self.builder.bool(true), exception(raise));
    }

    /// Emits the check for a raise; `exception` is the raised value, if the raise has one.
    fn raise_if(
        &self,
        raise: OperationRef<'c, 'a>,
        condition: Value<'c, 'a>,
        exception: Option<Value<'c, 'a>>,
    ) {
        if let Some(exception) = exception {
            typed::RaiseValueIf::create(self.builder, condition, &[exception], &[]);
        } else if let Some(raise) = typed::Raise::of(raise) {
            let check =
                typed::RaiseIf::create(self.builder, condition, raise.exception(), &[], &[]);
            check.set_message(raise.message());
        }
    }

    /// Ends a block after a check that always fails: a branch to unreachable code.
    fn go_on(&self, target: BlockRef<'c, 'a>) {
        let arguments = poison_arguments(self.builder, target);
        branch(self.builder, target, &arguments);
    }

    /// Terminates a region after a check that always fails.
    fn leave(&self, raise: OperationRef<'c, 'a>) -> PassResult {
        let parent = raise.parent().expect("is in a region");
        let unreachable = |r#type| poison(self.builder, r#type);
        match AnyOp::of(parent) {
            AnyOp::Func(func::Op::Func(function)) => {
                let function = FunctionType::try_from(function.function_type())?;
                let results = (0..function.result_count()).map(|index| function.result(index));
                let types = results.collect::<Result<Vec<_>, _>>()?;
                let values: Vec<_> = types.into_iter().map(unreachable).collect();
                func::Return::create(self.builder, &values);
            }
            AnyOp::Stencil(stencil::Op::Apply(apply)) => {
                let array = array_type(apply.result().ty()).expect("a stencil makes an array");
                stencil::Return::create(self.builder, unreachable(array.element));
            }
            _ => {
                let name = parent.full_name();
                return Err(self.cx.error(
                    raise.location(),
                    format!("can't leave the body of '{name}' by an exception"),
                ));
            }
        }
        Ok(())
    }
}

/// Whether a terminator raises.
fn raises(terminator: &OperationRef) -> bool {
    terminator.isa::<typed::Raise>() || terminator.isa::<typed::RaiseValue>()
}

/// The value that is raised, if it is one.
fn exception<'c: 'a, 'a>(raise: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    Some(typed::RaiseValue::of(raise)?.exception())
}

/// Removes pure operations without uses.
fn drop_dead<'c: 'a, 'a>(block: BlockRef<'c, 'a>) {
    for operation in block.operation_list().into_iter().rev() {
        if operation.is_trivially_dead() {
            operation.erase();
        }
    }
}
