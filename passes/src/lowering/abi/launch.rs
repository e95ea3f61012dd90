//! Parallel launches: the operands in a struct, a body for the scheduler, the results in order.

use super::{
    memory::{from_memory, memory_type, to_memory},
    raising::Function,
    reduction::{Reduction, identity},
};
use crate::{
    infra::{
        AttributeExt, BlockExt, CmpInt, OperationAttributes, OperationExt, PassContext,
        PassFailure, PassResult, RegionExt, ValueExt,
    },
    lowering::{
        emit::Emit,
        operations::{REDUCTION_TYPES, combine, segment_sizes},
        types::convert,
    },
    parfor::{DYNAMIC, SCHEDULE},
};
use melior::{
    dialect::llvm,
    ir::{
        OperationRef, Type, Value, attribute::FlatSymbolRefAttribute, operation::OperationLike,
        r#type::FunctionType,
    },
};
use std::collections::BTreeSet;

/// Bytes between the partial results of two parts: a cache line, so that they don't share one.
const SLOT: i32 = 64;

/// Writes the launches of a module.
pub(in crate::lowering) struct Launches<'x, 'c, 'a> {
    cx: &'x PassContext<'c>,
    module: OperationRef<'c, 'a>,
    raising: &'x BTreeSet<String>,
    /// The bodies that have a function for the scheduler, with how it takes their operands.
    wrapped: BTreeSet<String>,
}

/// A launch taken apart.
struct Launch<'c, 'a> {
    body: &'c str,
    extents: Vec<Value<'c, 'a>>,
    arguments: Vec<Value<'c, 'a>>,
    inits: Vec<Value<'c, 'a>>,
    work: Option<Value<'c, 'a>>,
    owned: Vec<Value<'c, 'a>>,
    reductions: Vec<Reduction<'c>>,
}

impl<'x, 'c: 'a, 'a> Launches<'x, 'c, 'a> {
    pub(in crate::lowering) fn new(
        cx: &'x PassContext<'c>,
        module: OperationRef<'c, 'a>,
        raising: &'x BTreeSet<String>,
    ) -> Self {
        Self {
            cx,
            module,
            raising,
            wrapped: BTreeSet::new(),
        }
    }

    /// Replaces a launch by calls of the scheduler.
    pub(in crate::lowering) fn rewrite(
        &mut self,
        function: &Function<'_, 'c, 'a>,
        operation: OperationRef<'c, 'a>,
    ) -> PassResult {
        let e = &function.emit;
        let launch = self.parse(operation)?;
        let Some(error) = function.error else {
            return Err(self.cx.error(
                operation.location(),
                "a launch is in a function that can't fail",
            ));
        };
        let environment = environment(e, &launch);
        if self.wrapped.insert(launch.body.to_owned()) {
            self.define_part(e, &launch, environment, operation)?;
        }

        // In the entry block, so that a launch in a loop doesn't grow the stack.
        let entry = operation
            .parent_named("func.func")
            .and_then(|function| function.region_at(0).entry())
            .and_then(BlockExt::first);
        e.before(entry.unwrap_or(operation))
            .at(operation.location());
        let rank = e.i64(launch.extents.len() as i64);
        let extents = e.alloca(rank, e.i(64), 8);
        let packed = e.alloca(e.i64(1), environment, SLOT.into());

        e.before(operation);
        let rank = e.i64(launch.extents.len() as i64);
        for (at, extent) in launch.extents.iter().enumerate() {
            let extent = e.index_cast(*extent, e.i(64));
            e.store(extent, e.offset_by(extents, at as i32, e.i(64)), None);
        }
        let work = match launch.work {
            None => e.i64(0),
            Some(work) => e.index_cast(work, e.i(64)),
        };
        let dynamic = operation.str_attr(SCHEDULE) == Some(DYNAMIC);
        let dynamic = e.i64(dynamic.into());
        let partial = e.i64(launch.reductions.len() as i64);
        let parts = e.call_value(
            "pyopt_parts",
            &[rank, extents, work, dynamic, partial],
            e.i(64),
        );
        let stack = e
            .intrinsic("llvm.stacksave.p0", &[], &[e.ptr()])
            .result_value(0);
        let bytes = e.bin(
            "arith.muli",
            parts,
            e.i64(i64::from(SLOT) * launch.reductions.len() as i64),
        );
        let slots = e.alloca(bytes, e.i(8), SLOT.into());
        for (at, argument) in launch.arguments.iter().enumerate() {
            let argument = to_memory(e, *argument);
            e.store(
                argument,
                e.field_address(packed, at as i32, environment),
                None,
            );
        }
        let last = launch.arguments.len() as i32;
        e.store(slots, e.field_address(packed, last, environment), None);

        let r#type = part_type(e);
        let symbol = FlatSymbolRefAttribute::new(e.context(), &part_name(launch.body)).into();
        let body = e.value("func.constant", &[], r#type.into(), &[("value", symbol)]);
        let body = e.reinterpret(body, e.ptr());
        let status = e.call_value(
            "pyopt_parallel",
            &[rank, extents, parts, body, packed, error],
            e.i(32),
        );
        let failed = e.cmpi(CmpInt::Ne, status, e.int(e.i(32), 0));
        function.leave_if(operation, failed, &launch.owned, |_| status);
        let results = self.combine(e, &launch, parts, slots, operation)?;
        e.intrinsic("llvm.stackrestore.p0", &[stack], &[]);
        e.replace_op(operation, &results);
        Ok(())
    }

    fn parse(&self, operation: OperationRef<'c, 'a>) -> PassResult<Launch<'c, 'a>> {
        let mut operands = operation.operand_values().into_iter();
        let mut segments = segment_sizes(operation).into_iter();
        let mut take = || -> Vec<_> {
            operands
                .by_ref()
                .take(segments.next().unwrap_or(0))
                .collect()
        };
        let (extents, arguments, inits) = (take(), take(), take());
        let (work, owned) = (take().pop(), take());
        let kinds = operation.required("reductions", operation.array_attr("reductions"))?;
        let types = operation.array_attr(REDUCTION_TYPES).unwrap_or_default();
        let reductions: Vec<_> = kinds
            .iter()
            .zip(&types)
            .filter_map(|(kind, r#type)| {
                Some(Reduction {
                    kind: kind.string_value()?,
                    r#type: r#type.type_value()?,
                })
            })
            .collect();
        let single = reductions.len() == inits.len()
            && reductions.iter().all(|reduction| {
                convert(self.cx.context(), reduction.r#type).is_some_and(|types| types.len() == 1)
            });
        if !single {
            return Err(self.cx.error(
                operation.location(),
                "a launch needs the typed types of its reductions, each a number",
            ));
        }
        Ok(Launch {
            body: operation.required("body", operation.symbol_attr("body"))?,
            extents,
            arguments,
            inits,
            work,
            owned,
            reductions,
        })
    }

    /// Defines the function that the scheduler calls for each part: unpacks the operands, calls
    /// the body, and puts its partial results into the part's slots.
    fn define_part(
        &self,
        e: &Emit<'_, 'c, 'a>,
        launch: &Launch<'c, 'a>,
        environment: Type<'c>,
        operation: OperationRef<'c, 'a>,
    ) -> PassResult {
        e.at(operation.location());
        let (function, arguments) = e.define(self.module, &part_name(launch.body), part_type(e));
        let [lower, upper, part, packed, error] = arguments[..] else {
            return Err(self
                .cx
                .error(operation.location(), "a part has five arguments"));
        };
        let mut operands = Vec::new();
        for bounds in [lower, upper] {
            for at in 0..launch.extents.len() {
                let bound = e.load(e.offset_by(bounds, at as i32, e.i(64)), e.i(64), None);
                operands.push(e.index_cast(bound, e.index_type()));
            }
        }
        for (at, argument) in launch.arguments.iter().enumerate() {
            let r#type = argument.ty();
            let address = e.field_address(packed, at as i32, environment);
            let value = e.load(address, memory_type(e, r#type), None);
            operands.push(from_memory(e, value, r#type));
        }
        for reduction in &launch.reductions {
            let start = identity(e, reduction);
            operands.push(start.ok_or_else(|| self.unknown(reduction, operation))?);
        }

        let raises = self.raising.contains(launch.body);
        let mut types: Vec<_> = launch.inits.iter().map(|init| init.ty()).collect();
        if raises {
            operands.push(error);
            types.insert(0, e.i(32));
        }
        let values = e
            .call_symbol(launch.body, &operands, &types)
            .result_values();
        let mut partial = &values[..];
        if raises {
            partial = &values[1..];
            let from = e.block();
            let failed = e.append_block(function.region_at(0), &[]);
            e.op("func.return", &[values[0]], &[], &[]);
            let succeeded = e.append_block(function.region_at(0), &[]);
            e.at_end(from);
            let condition = e.cmpi(CmpInt::Ne, values[0], e.int(e.i(32), 0));
            e.branch_if(condition, true, (failed, &[]), (succeeded, &[]));
            e.at_end(succeeded);
        }
        if !partial.is_empty() {
            let last = launch.arguments.len() as i32;
            let slots = e.load(e.field_address(packed, last, environment), e.ptr(), None);
            let address = row(e, slots, part, partial.len());
            for (at, value) in partial.iter().enumerate() {
                let value = to_memory(e, *value);
                e.store(value, e.offset_by(address, SLOT * at as i32, e.i(8)), None);
            }
        }
        let zero = e.int(e.i(32), 0);
        e.op("func.return", &[zero], &[], &[]);
        Ok(())
    }

    /// Combines the partial results of all parts, in their order, before an operation.
    fn combine(
        &self,
        e: &Emit<'_, 'c, 'a>,
        launch: &Launch<'c, 'a>,
        parts: Value<'c, 'a>,
        slots: Value<'c, 'a>,
        operation: OperationRef<'c, 'a>,
    ) -> PassResult<Vec<Value<'c, 'a>>> {
        if launch.reductions.is_empty() {
            return Ok(vec![]);
        }
        let before = e.block();
        let after = e.split_block(operation);
        let Some(region) = before.region() else {
            return Ok(vec![]);
        };
        e.at(operation.location());
        let types: Vec<_> = launch.inits.iter().map(|init| init.ty()).collect();
        let arguments = [&[e.i(64)], &types[..]].concat();
        let header = e.append_block(region, &arguments);
        let body = e.append_block(region, &[]);

        e.at_end(before);
        e.branch(header, &[&[e.i64(0)], &launch.inits[..]].concat());
        e.at_end(header);
        let carried = header.argument_values();
        let more = e.cmpi(CmpInt::Slt, carried[0], parts);
        e.branch_if(more, false, (body, &[]), (after, &[]));
        e.at_end(body);
        let address = row(e, slots, carried[0], launch.reductions.len());
        let mut next = vec![e.bin("arith.addi", carried[0], e.i64(1))];
        for (at, reduction) in launch.reductions.iter().enumerate() {
            let slot = e.offset_by(address, SLOT * at as i32, e.i(8));
            let partial = e.load(slot, memory_type(e, types[at]), None);
            let partial = from_memory(e, partial, types[at]);
            let combined = combine(
                e,
                reduction.kind,
                reduction.r#type,
                carried[at + 1],
                partial,
            );
            next.push(combined.ok_or_else(|| self.unknown(reduction, operation))?);
        }
        e.branch(header, &next);
        e.before(operation);
        Ok(carried[1..].to_vec())
    }

    fn unknown(&self, reduction: &Reduction, operation: OperationRef<'c, 'a>) -> PassFailure {
        let message = format!("no reduction '{}' of {}", reduction.kind, reduction.r#type);
        self.cx.error(operation.location(), message)
    }
}

fn part_name(body: &str) -> String {
    format!("{body}.part")
}

/// `int32_t part(const int64_t *lower, const int64_t *upper, int64_t part, void *env, PyoptError *)`.
fn part_type<'c>(e: &Emit<'_, 'c, '_>) -> FunctionType<'c> {
    let pointer = e.ptr();
    let arguments = [pointer, pointer, e.i(64), pointer, pointer];
    FunctionType::new(e.context(), &arguments, &[e.i(32)])
}

/// The struct in which the arguments and the address of the slots travel.
fn environment<'c>(e: &Emit<'_, 'c, '_>, launch: &Launch<'c, '_>) -> Type<'c> {
    let mut fields: Vec<_> = launch
        .arguments
        .iter()
        .map(|argument| memory_type(e, argument.ty()))
        .collect();
    fields.push(e.ptr());
    llvm::r#type::r#struct(e.context(), &fields, false)
}

/// The address of a part's slots.
fn row<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    slots: Value<'c, 'a>,
    part: Value<'c, 'a>,
    count: usize,
) -> Value<'c, 'a> {
    let bytes = e.bin("arith.muli", part, e.i64(i64::from(SLOT) * count as i64));
    e.offset(slots, bytes, e.i(8))
}
