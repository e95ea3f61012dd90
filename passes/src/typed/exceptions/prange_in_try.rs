//! Outlines `prange` loops that stand in a `try`.
//!
//! An exception raised in an iteration would leave the loop for the handler, but a loop on threads
//! can be left at its end only. Outlined, the loop raises like any other function, after it has
//! ended, and the `try` applies to the call.

use super::outline::{call, copy_constants, inputs, private_function};
use crate::{
    analysis::iterator_loops::IteratorLoop,
    infra::{
        BlockExt, Builder, Dominance, OperationAttributes, OperationExt, PassResult, RegionExt,
        ValueExt,
        ops::{AnyOp, cf, func, marks, typed},
    },
    typed::control_flow::branch::{branch, erase_unreachable, move_block, redirect},
};
use melior::ir::{BlockRef, OperationRef, RegionRef, Value, operation::OperationLike};
use pyopt_dialects::typed::TypedType;

/// Outlines the outermost such loops of a function, and returns how many there are. A loop stays
/// where it is when its handler needs the value of a variable in the iteration that raised.
pub(crate) fn outline_loops<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
    function: func::Func<'c, 'a>,
) -> PassResult<usize> {
    let mut moved = 0;
    while let Some(found) = GuardedLoop::find(function) {
        moved += 1;
        found.outline(builder, module, function, &format!("prange.{moved}"))?;
        erase_unreachable(function.body());
    }
    Ok(moved)
}

/// A `prange` loop of which all exceptions go to one handler.
struct GuardedLoop<'c, 'a> {
    header: BlockRef<'c, 'a>,
    for_iter: typed::ForIter<'c, 'a>,
    range: typed::Range<'c, 'a>,
    iter: typed::Iter<'c, 'a>,
    /// The other blocks of the loop, those that raise included.
    blocks: Vec<BlockRef<'c, 'a>>,
    handler: Handler<'c, 'a>,
}

/// The handler and the operands passed to it.
#[derive(PartialEq)]
struct Handler<'c, 'a> {
    block: BlockRef<'c, 'a>,
    /// The operands of the handler block: `None` stands for the exception.
    operands: Vec<Option<Value<'c, 'a>>>,
}

impl<'c: 'a, 'a> GuardedLoop<'c, 'a> {
    /// Finds an outermost one.
    fn find(function: func::Func<'c, 'a>) -> Option<Self> {
        let dominance = Dominance::new(*function);
        let mut loops = IteratorLoop::all(function.body(), &dominance);
        // Of nested loops the outer one has more blocks.
        loops.sort_by_key(|found| std::cmp::Reverse(found.body.len()));
        loops
            .into_iter()
            .filter(|found| found.suspension().is_none())
            .find_map(|found| Self::of(found, &dominance))
    }

    fn of(found: IteratorLoop<'c, 'a>, dominance: &Dominance<'c, 'a>) -> Option<Self> {
        let header = found.header;
        let for_iter = typed::ForIter::of(found.for_iter)?;
        let iter = typed::Iter::defining(for_iter.iterator())?;
        let range = typed::Range::defining(iter.iterable())?;
        let is_program = range.parallel() || range.attr(marks::PRANGE).is_some();
        // The header must hold nothing but the `typed.for_iter`.
        if !is_program || header.first() != Some(*for_iter) || iter.result().uses().len() != 1 {
            return None;
        }
        let mut blocks = found.body;
        while let Some(raises) = blocks
            .iter()
            .flat_map(|block| block.successor_list())
            .find(|block| *block != header && !blocks.contains(block) && raises(*block, &blocks))
        {
            blocks.push(raises);
        }
        let mut handlers = Vec::new();
        for block in &blocks {
            for target in block.successor_list() {
                if target != header && !blocks.contains(&target) {
                    handlers.push(handler(*block, target)?);
                }
            }
        }
        let handler = handlers.pop()?;
        let found = Self {
            header,
            for_iter,
            range,
            iter,
            blocks,
            handler,
        };
        let is_alone = handlers.iter().all(|other| *other == found.handler)
            && found
                .handler
                .operands
                .iter()
                .flatten()
                .all(|value| !found.defines(*value));
        (is_alone && found.is_closed(dominance)).then_some(found)
    }

    /// Whether a value is defined in the loop.
    fn defines(&self, value: Value<'c, 'a>) -> bool {
        let mut block = Some(value.defining_block());
        while let Some(inner) = block {
            if self.holds(inner) {
                return true;
            }
            block = inner.parent().and_then(OperationExt::parent_block);
        }
        false
    }

    fn holds(&self, block: BlockRef<'c, 'a>) -> bool {
        block == self.header || self.blocks.contains(&block)
    }

    /// Whether the only values of the loop that are live out of it are the loop-carried ones, used
    /// where its normal exit dominates, and whether the loop has no iterator as live-in but its
    /// own.
    fn is_closed(&self, dominance: &Dominance<'c, 'a>) -> bool {
        let end = self.for_iter.exit();
        let outside = |user: OperationRef<'c, 'a>| !self.covers(user);
        let carried = self.header.argument_values();
        let behind = carried
            .into_iter()
            .flat_map(ValueExt::users)
            .filter(|user| outside(*user));
        let reached = |user: OperationRef<'c, 'a>| {
            user.parent_block()
                .is_some_and(|block| dominance.block(end, block))
        };
        let own = self.blocks.iter().flat_map(|block| {
            let made = block
                .operation_list()
                .into_iter()
                .flat_map(OperationExt::result_values);
            block.argument_values().into_iter().chain(made)
        });
        behind.clone().all(reached)
            && !own.flat_map(ValueExt::users).any(outside)
            && !self
                .inputs()
                .into_iter()
                .any(|value| matches!(TypedType::from(value.ty()), TypedType::Iter(_)))
    }

    /// Whether an operation is in the loop.
    fn covers(&self, operation: OperationRef<'c, 'a>) -> bool {
        let mut next = Some(operation);
        while let Some(inner) = next {
            if inner.parent_block().is_some_and(|block| self.holds(block)) {
                return true;
            }
            next = inner.parent();
        }
        false
    }

    /// The live-ins of the loop, its iterator aside.
    fn inputs(&self) -> Vec<Value<'c, 'a>> {
        let mut operations = vec![*self.range];
        operations.extend(self.blocks.iter().flat_map(|block| block.operation_list()));
        operations.push(*self.for_iter);
        inputs(&operations, &|value| {
            self.defines(value) || value == self.iter.result()
        })
    }

    /// Outlines the loop; the call is inserted in the header.
    fn outline(
        self,
        builder: &Builder<'c, 'a>,
        module: OperationRef<'c, 'a>,
        function: func::Func<'c, 'a>,
        name: &str,
    ) -> PassResult {
        let location = self.for_iter.location();
        let carried = self.header.argument_values();
        let before = self.inputs();
        let inputs = [&carried[..], &before].concat();
        builder.at(location);
        let made = private_function(builder, module, function, name, &inputs, &carried)?;
        let region = made.body();
        let entry = made.required("entry", region.entry())?;
        let types: Vec<_> = carried.iter().map(|value| value.ty()).collect();
        let header = builder.append_block(region, &types);
        let end = builder.append_block(region, &[]);

        // The call's results replace the loop-carried values after the loop; in the outlined loop
        // the parameters do.
        builder.at_end(self.header).at(location);
        let call = call(builder, made, &inputs, &carried);
        let results = call.results();
        let (next, exit) = (self.for_iter.body(), self.for_iter.exit());
        let next_operands = self.for_iter.body_operands();
        let exit_operands = self.for_iter.exit_operands();
        for (at, value) in carried.iter().enumerate() {
            let (inside, behind) = (header.argument_value(at), results[at]);
            value.replace_uses_if(inside, |r#use| {
                self.covers(r#use.user) && r#use.user != *call
            });
            value.replace_uses_if(behind, |r#use| !self.covers(r#use.user));
        }
        let passed = |value: &Value<'c, 'a>| match carried.iter().position(|one| one == value) {
            Some(at) => results[at],
            None => *value,
        };
        let passed: Vec<_> = exit_operands.iter().map(passed).collect();
        let landing = self.landing(builder, function.body());
        builder.at_end(self.header).at(location);
        typed::TryBr::create(builder, &passed, exit, landing);

        // The outlined function: the range, the loop, the return.
        let arguments = entry.argument_values();
        builder.at_end(entry).at(location);
        let range = builder.clone_op(*self.range, &[]);
        let iterator = [(self.iter.iterable(), range.result_value(0))];
        let iterator = builder.clone_op(*self.iter, &iterator).result_value(0);
        branch(builder, header, &arguments[..carried.len()]);
        for block in &self.blocks {
            self.stay(builder, *block);
        }
        for block in &self.blocks {
            move_block(*block, region);
            redirect(*block, self.header, header);
        }
        builder.at_end(header).at(location);
        let target = if next == self.header { header } else { next };
        typed::ForIter::create(builder, iterator, &next_operands, &[], target, end);
        builder.erase_op(*self.for_iter);
        builder.at_end(end).at(location);
        func::Return::create(builder, &header.argument_values());
        for (value, argument) in before.iter().zip(&arguments[carried.len()..]) {
            value.replace_uses_if(*argument, |r#use| r#use.user.is_within(*made));
        }
        copy_constants(builder, made);
        Ok(())
    }

    /// Makes the block that receives the exceptions of the call.
    fn landing(&self, builder: &Builder<'c, 'a>, region: RegionRef<'c, 'a>) -> BlockRef<'c, 'a> {
        let exception = TypedType::Exception.to_type(builder.context());
        let landing = builder.append_block(region, &[exception]);
        let caught = landing.argument_value(0);
        let Handler { block, operands } = &self.handler;
        let operands: Vec<_> = operands.iter().map(|one| one.unwrap_or(caught)).collect();
        branch(builder, *block, &operands);
        landing
    }

    /// Makes a block of the outlined loop raise the exception that it would pass to the handler.
    fn stay(&self, builder: &Builder<'c, 'a>, block: BlockRef<'c, 'a>) {
        let Some(end) = block.terminator_op() else {
            return;
        };
        let leaves = |target: &BlockRef<'c, 'a>| !self.holds(*target);
        if !end.successor_blocks().iter().any(leaves) {
            return;
        }
        builder.before(end).at(end.location());
        match AnyOp::of(end) {
            AnyOp::Typed(typed::Op::TryBr(end)) => {
                branch(builder, end.normal(), &end.normal_operands());
            }
            AnyOp::Cf(cf::Op::Branch(end)) => {
                typed::RaiseValue::create(builder, end.dest_operands()[0]);
            }
            _ => unreachable!("`handler` refuses other ways out of the loop"),
        }
        builder.erase_op(end);
    }
}

/// Whether a block only raises to a handler of the loop's, and has predecessors in the loop alone.
fn raises<'c: 'a, 'a>(block: BlockRef<'c, 'a>, inside: &[BlockRef<'c, 'a>]) -> bool {
    let is_handler = block.argument_values().into_iter().any(is_exception);
    let raises = block
        .terminator_op()
        .and_then(cf::Branch::of)
        .is_some_and(|end| end.dest_operands().into_iter().any(is_exception));
    let comes_from = block.predecessor_blocks();
    !is_handler && raises && comes_from.iter().all(|one| inside.contains(one))
}

fn is_exception(value: Value) -> bool {
    matches!(TypedType::from(value.ty()), TypedType::Exception)
}

/// The handler at the end of a chain of blocks that leaves the loop, if the chain only passes an
/// exception on.
fn handler<'c: 'a, 'a>(from: BlockRef<'c, 'a>, to: BlockRef<'c, 'a>) -> Option<Handler<'c, 'a>> {
    let passes_exception = match AnyOp::of(from.terminator_op()?) {
        AnyOp::Typed(typed::Op::TryBr(end)) => end.unwind() == to,
        AnyOp::Cf(cf::Op::Branch(end)) => {
            matches!(end.dest_operands()[..], [only] if is_exception(only))
        }
        _ => false,
    };
    if !passes_exception {
        return None;
    }
    let mut found = Handler {
        block: to,
        operands: vec![None],
    };
    // Blocks that only pass the exception on, and what variables are.
    while let Some(pass) = found.block.first().and_then(cf::Branch::of) {
        let arguments = found.block.argument_values();
        let become_of = |value: Value<'c, 'a>| match arguments.iter().position(|one| *one == value)
        {
            Some(at) => found.operands[at],
            None => Some(value),
        };
        let operands: Vec<_> = pass.dest_operands().into_iter().map(become_of).collect();
        let is_alike = operands.iter().filter(|one| one.is_none()).count() == 1;
        if !is_alike {
            break;
        }
        found = Handler {
            block: pass.dest(),
            operands,
        };
    }
    Some(found)
}
