//! Makes reference counting explicit: inserts acquires and releases.

use super::{ownership::owns, stack_generators::BORROWED};
use crate::{
    infra::{
        BlockExt, Builder, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec,
        RegionExt, ValueExt,
    },
    lowering::segment_sizes,
};
use melior::ir::{
    BlockRef, OperationRef, Value, ValueLike, attribute::DenseI32ArrayAttribute,
    operation::OperationLike, r#type::IntegerType,
};
use pyopt_dialects::enums::CompareKind;
use std::collections::HashMap;

/// Inserts `typed.acquire` and `typed.release`.
pub static PASS: PassSpec = PassSpec {
    description: "Runs on structured control flow. Arguments of a function are borrowed; a fresh \
                  array, the result of a call and what a loop carries are owned. Views, tuples \
                  and selections borrow from what they are made of. Terminators and the initial \
                  values of loops consume: the last use of an owned value hands it over, any \
                  other acquires it first. What is owned is released behind its last use, and \
                  operations that may raise list what is held when they do.",
    anchor: "func.func",
    dialects: &["typed"],
    ..PassSpec::new(
        "typed-insert-ownership",
        "insert the acquiring and releasing of arrays",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let Some(entry) = function.region_at(0).entry() else {
        return Ok(());
    };
    let builder = Builder::new(cx.context(), function);
    expand_require_equal(&builder, function);
    let ownership = Ownership {
        roots: Roots::new(function),
        builder: &builder,
    };
    for block in function.region_at(0).block_list() {
        let held = Vec::new();
        ownership.block(block, block == entry, &held);
    }
    Ok(())
}

/// `typed.require_equal` becomes a comparison and a `typed.raise_if`, which can list owners to
/// release.
fn expand_require_equal<'c: 'a, 'a>(builder: &Builder<'c, 'a>, function: OperationRef<'c, 'a>) {
    let context = builder.context();
    let integer = IntegerType::signed(context, 64).into();
    for operation in function.nested("typed.require_equal") {
        builder.before(operation);
        let number = |at| {
            let value = operation.operand_value(at);
            if value.ty() == integer {
                return value;
            }
            builder.value("typed.cast", &[value], integer, &[])
        };
        let kind = CompareKind::Ne.to_attribute(context);
        let sizes = [number(0), number(1)];
        let r#bool = IntegerType::new(context, 1).into();
        let differ = builder.value("typed.compare", &sizes, r#bool, &[("kind", kind)]);
        let exception = melior::ir::attribute::StringAttribute::new(context, "ValueError");
        let mut attributes = vec![("exception", exception.into())];
        attributes.extend(
            operation
                .attr("message")
                .map(|message| ("message", message)),
        );
        builder.op("typed.raise_if", &[differ], &[], &attributes);
        builder.erase_op(operation);
    }
}

/// For each value whose type has an owner, the owned values that it borrows from; an owned value
/// borrows from itself. Function arguments borrow from nothing: the caller keeps them alive.
struct Roots<'c, 'a> {
    of: HashMap<usize, Vec<Value<'c, 'a>>>,
}

impl<'c: 'a, 'a> Roots<'c, 'a> {
    fn new(function: OperationRef<'c, 'a>) -> Self {
        let mut roots = Self { of: HashMap::new() };
        for operation in function.pre_order().into_iter().skip(1) {
            for result in operation.result_values() {
                if !owns(result.ty()) {
                    continue;
                }
                let found = if produces(operation) {
                    vec![result]
                } else {
                    roots.of_all(&operation.operand_values())
                };
                roots.of.insert(key(result), found);
            }
            for block in operation.nested_blocks() {
                for argument in block.argument_values() {
                    if owns(argument.ty()) {
                        roots.of.insert(key(argument), vec![argument]);
                    }
                }
            }
        }
        roots
    }

    fn of(&self, value: Value<'c, 'a>) -> &[Value<'c, 'a>] {
        self.of.get(&key(value)).map_or(&[], Vec::as_slice)
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

fn key(value: Value) -> usize {
    value.to_raw().ptr.addr()
}

/// Whether the user of an operation's results owns them, instead of borrowing.
fn produces(operation: OperationRef) -> bool {
    let name = operation.full_name();
    if operation.flag_attr(BORROWED) {
        return false;
    }
    matches!(
        name,
        "typed.empty"
            | "typed.broadcast"
            | "typed.call"
            | "func.call"
            | "typed.try_call"
            | "typed.exception"
            | "typed.catch"
            | "typed.new_generator"
            | "typed.generator_load"
            | "typed.list_new"
            | "typed.list_get"
    ) || name.starts_with("scf.")
}

/// The first operand that an operation consumes (takes ownership of); it consumes all operands from
/// there on.
fn consumed_from(name: &str) -> Option<usize> {
    match name {
        "scf.yield" | "func.return" | "scf.while" => Some(0),
        "scf.condition" => Some(1),
        "scf.for" => Some(3),
        _ => None,
    }
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
            self.list_held(*operation, &held);
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
            for used in self.used_in(*operation) {
                if let Some(local) = locals.iter_mut().find(|local| local.value == used) {
                    local.last = at;
                }
            }
            if produces(*operation) {
                let results = operation.result_values().into_iter();
                locals.extend(
                    results
                        .filter(|value| owns(value.ty()))
                        .map(|value| local(value, at)),
                );
            }
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
        let Some(first) = consumed_from(operation.full_name()) else {
            return;
        };
        let inside: Vec<_> = operation
            .nested_blocks()
            .into_iter()
            .flat_map(BlockExt::operation_list)
            .flat_map(|operation| self.used_in(operation))
            .collect();
        for operand in operation.operand_values().into_iter().skip(first) {
            if !owns(operand.ty()) {
                continue;
            }
            let local = locals.iter_mut().find(|local| {
                local.value == operand
                    && local.last == at
                    && !local.moved
                    && !inside.contains(&operand)
            });
            match local {
                Some(local) => local.moved = true,
                None => {
                    self.builder.before(operation);
                    self.builder.op("typed.acquire", &[operand], &[], &[]);
                }
            }
        }
    }

    /// Adds the live owners to the `releasing` operands of an operation that may raise.
    fn list_held(&self, operation: OperationRef<'c, 'a>, held: &[Value<'c, 'a>]) {
        let operands = operation.operand_values();
        let mut segments = match operation.full_name() {
            "typed.raise_if" => {
                operation.set_operand_values(&[&operands[..1], held].concat());
                return;
            }
            "typed.call"
            | "typed.empty"
            | "typed.broadcast"
            | "parfor.launch"
            | "typed.raise_value_if" => segment_sizes(operation),
            _ => return,
        };
        let old = segments.pop().unwrap_or(0);
        let kept = &operands[..operands.len() - old];
        segments.push(held.len());
        let segments: Vec<_> = segments.into_iter().map(|size| size as i32).collect();
        operation.set_operand_values(&[kept, held].concat());
        let context = self.builder.context();
        operation.set_attr(
            "operandSegmentSizes",
            DenseI32ArrayAttribute::new(context, &segments),
        );
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
            self.builder.op("typed.release", &[local.value], &[], &[]);
        }
    }
}
