//! Makes reference counting explicit: inserts acquires and releases.

use crate::{
    analysis::ownership::{BORROWED, owns},
    infra::{
        BlockExt, Builder, Identity, Key, OperationAttributes, OperationExt, OperationInterfaces,
        PassContext, PassResult, PassSpec, RegionExt, Use, ValueExt,
        ops::{func, scf, typed},
    },
    types::addresses::has_address,
};
use melior::ir::{
    BlockRef, OperationRef, Value, attribute::StringAttribute, operation::OperationLike,
    r#type::IntegerType,
};
use pyopt_dialects::typed::array_type;
use std::collections::HashMap;

/// Inserts `typed.acquire` and `typed.release`.
pub static PASS: PassSpec = PassSpec {
    description: "Runs on structured control flow. Arguments of a function are borrowed; a fresh \
                  array, the result of a call and what a loop carries are owned. Views, tuples, \
                  selections and addresses borrow from what they are made of. Terminators and the initial \
                  values of loops consume: the last use of an owned value hands it over, any \
                  other acquires it first; but an array that a branch yields only for its elements \
                  is borrowed, and what it is of lives on as long. What is owned is released behind its last use, and \
                  operations that may raise list what is held when they do.",
    anchor: func::Func::NAME,
    dialects: &["typed"],
    ..PassSpec::new(
        "typed-insert-ownership",
        "insert the acquiring and releasing of arrays",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let Some(function) = func::Func::of(function) else {
        return Ok(());
    };
    let Some(entry) = function.body().entry() else {
        return Ok(());
    };
    let builder = Builder::new(cx.context(), *function);
    expand_require_equal(&builder, function);
    let ownership = Ownership {
        roots: Roots::new(function),
        builder: &builder,
    };
    for block in function.body().block_list() {
        let held = Vec::new();
        ownership.block(block, block == entry, &held);
    }
    Ok(())
}

/// `typed.require_equal` becomes a comparison and a `typed.raise_if`, which can list owners to
/// release.
fn expand_require_equal<'c: 'a, 'a>(builder: &Builder<'c, 'a>, function: func::Func<'c, 'a>) {
    let context = builder.context();
    let integer = IntegerType::signed(context, 64).into();
    for check in function.nested_ops::<typed::RequireEqual>() {
        builder.before(*check);
        let number = |value: Value<'c, 'a>| match value.ty() == integer {
            true => value,
            false => typed::Cast::create(builder, value, integer).result(),
        };
        let (lhs, rhs) = (number(check.lhs()), number(check.rhs()));
        let differ = typed::Compare::create(builder, typed::CompareKind::Ne, lhs, rhs).result();
        let exception = StringAttribute::new(context, "ValueError").into();
        let raise = typed::RaiseIf::create(builder, differ, exception, &[lhs, rhs], &[]);
        raise.set_message(Some(check.message()));
        builder.erase_op(*check);
    }
}

/// For each value whose type has an owner, and each address, the owned values that it borrows from; an
/// owned value borrows from itself. Function arguments borrow from nothing: the caller keeps them alive.
///
/// An array that a branch yields and that is used for its elements and sizes alone may be lent in one
/// branch and fresh in the other. It is owned, and borrows besides from what the branches lend: so those
/// live until its last use, and what is released then is the fresh array or nothing. Nobody takes a
/// reference of it meanwhile, which nothing could count.
struct Roots<'c, 'a> {
    of: HashMap<Key, Vec<Value<'c, 'a>>>,
}

impl<'c: 'a, 'a> Roots<'c, 'a> {
    fn new(function: func::Func<'c, 'a>) -> Self {
        let mut roots = Self { of: HashMap::new() };
        for block in function.body().block_list() {
            roots.add_block(block);
        }
        roots
    }

    fn add_block(&mut self, block: BlockRef<'c, 'a>) {
        for argument in block.argument_values() {
            if owns(argument.ty()) && !is_parameter(argument) {
                self.of.insert(argument.key(), vec![argument]);
            }
        }
        for operation in block.operation_list() {
            for nested in operation.nested_blocks() {
                self.add_block(nested);
            }
            for result in operation.result_values() {
                let is_address =
                    operation.lends_result(result.position()) || has_address(result.ty());
                if !owns(result.ty()) && !is_address {
                    continue;
                }
                let mut found = if is_produced(operation, result) {
                    vec![result]
                } else {
                    self.of_all(&operation.operand_values())
                };
                if is_for_elements(result) {
                    found.extend(self.lent(operation, result.position()));
                }
                self.of.insert(result.key(), found);
            }
        }
    }

    /// What the branches of an operation yield for a result without handing it over.
    fn lent(&self, operation: OperationRef<'c, 'a>, position: usize) -> Vec<Value<'c, 'a>> {
        let blocks = operation.nested_blocks().into_iter();
        let yielded = blocks.filter_map(|block| {
            let end = block.terminator_op()?;
            end.operand_values().get(position).copied()
        });
        let lent: Vec<_> = yielded
            .filter(|value| self.outlives(*value, operation))
            .collect();
        self.of_all(&lent)
    }

    /// Whether all that a value borrows from is defined outside of an operation.
    fn outlives(&self, value: Value<'c, 'a>, operation: OperationRef<'c, 'a>) -> bool {
        self.of(value).iter().all(|root| !root.is_inside(operation))
    }

    fn of(&self, value: Value<'c, 'a>) -> &[Value<'c, 'a>] {
        self.of.get(&value.key()).map_or(&[], Vec::as_slice)
    }

    fn of_all(&self, values: &[Value<'c, 'a>]) -> Vec<Value<'c, 'a>> {
        let mut found = Vec::new();
        for value in values {
            for root in self.of(*value) {
                if !found.contains(root) {
                    found.push(*root);
                }
            }
        }
        found
    }
}

/// Whether the user of an operation's result owns it, instead of borrowing.
fn is_produced<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, result: Value<'c, 'a>) -> bool {
    operation.owns_result(result.position()) && !operation.flag_attr(BORROWED)
}

/// Whether a value is a parameter of the function that its block is the entry of.
fn is_parameter<'c: 'a, 'a>(argument: Value<'c, 'a>) -> bool {
    let block = argument.defining_block();
    let function = block.parent().and_then(func::Func::of);
    function.is_some_and(|function| function.body().entry() == Some(block))
}

/// Whether an array is the result of a branch and used for its elements and sizes alone.
fn is_for_elements<'c: 'a, 'a>(array: Value<'c, 'a>) -> bool {
    let is_element = |one: Use<'c, 'a>| match typed::Op::of(one.user) {
        Some(typed::Op::Load(_) | typed::Op::Dim(_)) => true,
        Some(typed::Op::Store(_)) => one.operand == typed::Store::ARRAY_OPERAND,
        _ => false,
    };
    array_type(array.ty()).is_some()
        && array.defining_op().and_then(scf::If::of).is_some()
        && array.uses().into_iter().all(is_element)
}

/// The live range of an owned value in the current block.
struct Local<'c, 'a> {
    value: Value<'c, 'a>,
    /// The index of the defining operation; 0 for block arguments.
    defined: usize,
    /// The index of the last operation that uses it, nested uses included; that of the definition
    /// if there is none.
    last: usize,
    /// Whether that operation consumes it.
    moved: bool,
}

struct Ownership<'x, 'c, 'a> {
    roots: Roots<'c, 'a>,
    builder: &'x Builder<'c, 'a>,
}

impl<'c: 'a, 'a> Ownership<'_, 'c, 'a> {
    /// Inserts ownership operations in a block and its nested regions; `outer` holds the owners
    /// that are live around it. Operations are numbered from 1.
    fn block(&self, block: BlockRef<'c, 'a>, is_entry: bool, outer: &[Value<'c, 'a>]) {
        let operations = block.operation_list();
        let mut locals = self.locals(block, is_entry, &operations);

        for (at, operation) in (1..).zip(&operations) {
            self.consume(*operation, at, &mut locals);
            let mut held = outer.to_vec();
            held.extend(
                locals
                    .iter()
                    .filter(|local| {
                        local.defined < at
                            && (local.last > at || (local.last == at && !local.moved))
                    })
                    .map(|local| local.value),
            );
            // An operation that may raise lists them; others have no list.
            operation.set_released(&held);
            for block in operation.nested_blocks() {
                self.block(block, false, &held);
            }
        }
        self.release(block, &operations, &locals);
    }

    fn locals(
        &self,
        block: BlockRef<'c, 'a>,
        is_entry: bool,
        operations: &[OperationRef<'c, 'a>],
    ) -> Vec<Local<'c, 'a>> {
        let local = |value, defined| Local {
            value,
            defined,
            last: defined,
            moved: false,
        };
        let mut locals = Vec::new();
        if !is_entry {
            let arguments = block.argument_values().into_iter();
            locals.extend(
                arguments
                    .filter(|value| owns(value.ty()))
                    .map(|value| local(value, 0)),
            );
        }
        for (at, operation) in (1..).zip(operations) {
            // An address that leaves a region may be one into anything that is used there.
            let results = operation.result_values();
            let hands_out = !operation.region_list().is_empty()
                && results.iter().any(|result| has_address(result.ty()));
            let last = if hands_out { operations.len() } else { at };
            for used in self.used_in(*operation) {
                if let Some(local) = locals.iter_mut().find(|local| local.value == used) {
                    local.last = local.last.max(last);
                }
            }
            let results = operation.result_values().into_iter();
            locals.extend(
                results
                    .filter(|value| owns(value.ty()) && is_produced(*operation, *value))
                    .map(|value| local(value, at)),
            );
        }
        locals
    }

    /// The owned values that an operation uses, nested uses included.
    fn used_in(&self, operation: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let operands: Vec<_> = operation
            .pre_order()
            .into_iter()
            .flat_map(OperationExt::operand_values)
            .collect();
        self.roots.of_all(&operands)
    }

    /// Transfers ownership of operands to an operation that consumes them, or acquires a reference
    /// for it.
    fn consume(&self, operation: OperationRef<'c, 'a>, at: usize, locals: &mut [Local<'c, 'a>]) {
        let consumed: Vec<_> = operation
            .operand_values()
            .into_iter()
            .enumerate()
            .filter(|(index, operand)| owns(operand.ty()) && operation.consumes_operand(*index))
            .collect();
        if consumed.is_empty() {
            return;
        }
        let inside: Vec<_> = operation
            .nested_blocks()
            .into_iter()
            .flat_map(BlockExt::operation_list)
            .flat_map(|operation| self.used_in(operation))
            .collect();
        for (index, operand) in consumed {
            let local = locals.iter_mut().find(|local| {
                local.value == operand
                    && local.last == at
                    && !local.moved
                    && !inside.contains(&operand)
            });
            match local {
                Some(local) => local.moved = true,
                None if self.may_borrow(operation, index) => {
                    self.builder.before(operation);
                    let lent = typed::Borrow::create(self.builder, operand).result();
                    operation.set_operand_value(index, lent);
                }
                None => {
                    self.builder.before(operation);
                    typed::Acquire::create(self.builder, operand);
                }
            }
        }
    }

    /// Whether an operation yields an operand for its elements alone, and what that is of lives on.
    fn may_borrow(&self, operation: OperationRef<'c, 'a>, index: usize) -> bool {
        let branch = operation.parent_block().and_then(|block| block.parent());
        branch.is_some_and(|branch| {
            let result = branch.result_values().get(index).copied();
            operation.is_terminator()
                && result.is_some_and(is_for_elements)
                && self
                    .roots
                    .outlives(operation.operand_values()[index], branch)
        })
    }

    /// Releases, after its last use, each value that the block still owns.
    fn release(
        &self,
        block: BlockRef<'c, 'a>,
        operations: &[OperationRef<'c, 'a>],
        locals: &[Local<'c, 'a>],
    ) {
        for local in locals.iter().filter(|local| !local.moved) {
            // Insert before the operation that follows the last use, and never after the
            // terminator.
            let next = local.last.min(operations.len().saturating_sub(1));
            match operations.get(next) {
                Some(next) => {
                    self.builder.before(*next);
                    if let Some(last) = local.last.checked_sub(1) {
                        self.builder.at(operations[last].location());
                    }
                }
                None => {
                    self.builder.at_end(block);
                }
            }
            typed::Release::create(self.builder, local.value);
        }
    }
}
