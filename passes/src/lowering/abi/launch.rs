//! Lowers parallel launches: the operands are passed in a struct to a function that the scheduler
//! calls for each part, and partial results are combined in the order of the parts.

use super::{
    memory::{from_memory, memory_type, to_memory},
    raising::Function,
    reduction::{Kind, Reduction, identity},
    sites::Sites,
};
use crate::{
    analysis::reduction::Combiner,
    infra::{
        AttributeExt, BlockExt, CmpInt, OperationAttributes, OperationExt, PassContext,
        PassFailure, PassResult, RegionExt, ValueExt,
        ops::{arith, func, marks, parfor, typed},
    },
    lowering::{emit::Emit, operations::combine, types::convert},
};
use melior::{
    dialect::llvm::r#type as llvm_type,
    ir::{OperationRef, Type, Value, operation::OperationLike, r#type::FunctionType},
};
use pyopt_dialects::enums::Schedule;
use std::collections::BTreeSet;

/// Bytes between the partial results of two parts: a cache line, so that they don't share one.
const SLOT: i32 = 64;

/// Lowers the launches of a module.
pub(in crate::lowering) struct Launches<'x, 'c, 'a> {
    cx: &'x PassContext<'c>,
    module: OperationRef<'c, 'a>,
    raising: &'x BTreeSet<String>,
    /// The bodies that already have a function for the scheduler, with the layout of their
    /// operands.
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

impl<'c> Launch<'c, '_> {
    /// The reductions by combiners, with their positions.
    fn combiners(&self) -> impl Iterator<Item = (usize, Combiner<'c>)> {
        let reductions = self.reductions.iter().enumerate();
        reductions.filter_map(|(at, reduction)| match reduction.kind {
            Kind::Combiner(combiner) => Some((at, combiner)),
            Kind::Operator(_) => None,
        })
    }
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
        operation: parfor::Launch<'c, 'a>,
        sites: &mut Sites<'c>,
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
            self.define_part(e, &launch, environment, *operation)?;
        }

        // In the entry block, so that a launch in a loop doesn't grow the stack.
        let entry = operation
            .ancestor::<func::Func>()
            .and_then(|function| function.body().entry())
            .and_then(BlockExt::first);
        e.before(entry.unwrap_or(*operation))
            .at(operation.location());
        let rank = e.i64(launch.extents.len() as i64);
        let extents = e.alloca(rank, e.i(64), 8);
        let packed = e.alloca(e.i64(1), environment, SLOT.into());

        e.before(*operation);
        let rank = e.i64(launch.extents.len() as i64);
        for (at, extent) in launch.extents.iter().enumerate() {
            let extent = e.index_cast(*extent, e.i(64));
            e.store(extent, e.offset_by(extents, at as i32, e.i(64)), None);
        }
        let work = match launch.work {
            None => e.i64(0),
            Some(work) => e.index_cast(work, e.i(64)),
        };
        let schedule = operation.attr(marks::SCHEDULE);
        let dynamic = schedule.and_then(Schedule::from_attribute) == Some(Schedule::Dynamic);
        let dynamic = e.i64(dynamic.into());
        let partial = e.i64(launch.reductions.len() as i64);
        let parts = e.call_value(
            "pyopt_parts",
            &[rank, extents, work, dynamic, partial],
            e.i(64),
        );
        let stack = e.intrinsic_value("llvm.stacksave.p0", &[], e.ptr());
        // There are none where there are no threads, but what combiners start with has a place.
        let rows = e.bin(arith::MaxSI::NAME, parts, e.i64(1));
        let bytes = e.bin(
            arith::MulI::NAME,
            rows,
            e.i64(i64::from(SLOT) * launch.reductions.len() as i64),
        );
        let slots = e.alloca(bytes, e.i(8), SLOT.into());
        for (at, _) in launch.combiners() {
            let init = to_memory(e, launch.inits[at]);
            e.store(init, e.offset_by(slots, SLOT * at as i32, e.i(8)), None);
        }
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

        let body = e.function_address(&part_name(launch.body), part_type(e));
        let status = e.call_value(
            "pyopt_parallel",
            &[rank, extents, parts, body, packed, error],
            e.i(32),
        );
        let failed = e.cmpi(CmpInt::Ne, status, e.int(e.i(32), 0));
        function.leave_if(*operation, failed, &launch.owned, |_| status);
        let results = self.combine(function, &launch, (parts, slots), *operation, sites)?;
        e.intrinsic("llvm.stackrestore.p0", &[stack], None);
        e.replace_op(*operation, &results);
        Ok(())
    }

    fn parse(&self, operation: parfor::Launch<'c, 'a>) -> PassResult<Launch<'c, 'a>> {
        let inits = operation.init_vals();
        let kinds = operation.reductions();
        let types = operation.array_attr(marks::TYPES).unwrap_or_default();
        let reductions: Vec<_> = kinds
            .iter()
            .zip(&types)
            .filter_map(|(kind, r#type)| {
                Some(Reduction {
                    kind: Kind::read(*operation, *kind)?,
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
            body: operation.body(),
            extents: operation.extents(),
            arguments: operation.args(),
            inits,
            work: operation.work(),
            owned: operation.owned(),
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
        let last = launch.arguments.len() as i32;
        let own = (!launch.reductions.is_empty()).then(|| {
            let slots = e.load(e.field_address(packed, last, environment), e.ptr(), None);
            row(e, slots, part, launch.reductions.len())
        });
        let first = e.cmpi(CmpInt::Eq, part, e.i64(0));
        for (at, reduction) in launch.reductions.iter().enumerate() {
            if let Kind::Combiner(combiner) = reduction.kind
                && self.raising.contains(combiner.identity)
            {
                let message = format!("the identity @{} may raise", combiner.identity);
                return Err(self.cx.error(operation.location(), message));
            }
            let mut start =
                identity(e, reduction).ok_or_else(|| self.unknown(reduction, operation))?;
            if let (Kind::Combiner(_), Some(own)) = (reduction.kind, own) {
                let slot = e.offset_by(own, SLOT * at as i32, e.i(8));
                let r#type = launch.inits[at].ty();
                let init = from_memory(e, e.load(slot, memory_type(e, r#type), None), r#type);
                start = e.select(first, init, start);
            }
            operands.push(start);
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
            let failed = e.append_block(function.body(), &[]);
            func::Return::create(e, &[values[0]]);
            let succeeded = e.append_block(function.body(), &[]);
            e.at_end(from);
            let condition = e.cmpi(CmpInt::Ne, values[0], e.int(e.i(32), 0));
            e.branch_if(condition, true, (failed, &[]), (succeeded, &[]));
            e.at_end(succeeded);
        }
        if let Some(own) = own {
            for (at, value) in partial.iter().enumerate() {
                let value = to_memory(e, *value);
                e.store(value, e.offset_by(own, SLOT * at as i32, e.i(8)), None);
            }
        }
        let zero = e.int(e.i(32), 0);
        func::Return::create(e, &[zero]);
        Ok(())
    }

    /// Combines the partial results of all parts, in their order, before an operation. Where there
    /// are combiners, the first part has started with their initial values.
    fn combine(
        &self,
        function: &Function<'_, 'c, 'a>,
        launch: &Launch<'c, 'a>,
        (parts, slots): (Value<'c, 'a>, Value<'c, 'a>),
        operation: OperationRef<'c, 'a>,
        sites: &mut Sites<'c>,
    ) -> PassResult<Vec<Value<'c, 'a>>> {
        if launch.reductions.is_empty() {
            return Ok(vec![]);
        }
        let e = &function.emit;
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

        let partial = |at: usize, address| {
            let slot = e.offset_by(address, SLOT * at as i32, e.i(8));
            from_memory(e, e.load(slot, memory_type(e, types[at]), None), types[at])
        };
        let operator = |at: usize, kind, before, partial| {
            let reduction = &launch.reductions[at];
            combine(e, kind, reduction.r#type, before, partial)
                .ok_or_else(|| self.unknown(reduction, operation))
        };

        e.at_end(before);
        let mut entering = vec![e.i64(0)];
        entering.extend(&launch.inits);
        if launch.combiners().next().is_some() {
            entering[0] = e.i64(1);
            for (at, reduction) in launch.reductions.iter().enumerate() {
                let first = partial(at, slots);
                entering[at + 1] = match reduction.kind {
                    Kind::Operator(kind) => operator(at, kind, launch.inits[at], first)?,
                    Kind::Combiner(_) => first,
                };
            }
        }
        e.branch(header, &entering);
        e.at_end(header);
        let carried = header.argument_values();
        let more = e.cmpi(CmpInt::Slt, carried[0], parts);
        e.branch_if(more, false, (body, &[]), (after, &[]));
        e.at_end(body);
        let address = row(e, slots, carried[0], launch.reductions.len());
        let mut next = vec![e.bin(arith::AddI::NAME, carried[0], e.i64(1))];
        let mut calls = Vec::new();
        for (at, reduction) in launch.reductions.iter().enumerate() {
            let partial = partial(at, address);
            next.push(match reduction.kind {
                Kind::Operator(kind) => operator(at, kind, carried[at + 1], partial)?,
                Kind::Combiner(combiner) => {
                    let call = call_combiner(e, combiner, launch, [carried[at + 1], partial]);
                    calls.push((call, combiner));
                    call.results()[0]
                }
            });
        }
        e.branch(header, &next);
        for (call, combiner) in calls {
            let raises = self.raising.contains(combiner.combine);
            function.rewrite_call(call, raises, sites);
        }
        e.before(operation);
        Ok(carried[1..].to_vec())
    }

    fn unknown(&self, reduction: &Reduction, operation: OperationRef<'c, 'a>) -> PassFailure {
        let kind = match reduction.kind {
            Kind::Operator(kind) => kind.name(),
            Kind::Combiner(combiner) => combiner.combine,
        };
        let message = format!("no reduction '{kind}' of {}", reduction.r#type);
        self.cx.error(operation.location(), message)
    }
}

/// A call of a combiner that releases, when it raises, what the launch does.
fn call_combiner<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    combiner: Combiner<'c>,
    launch: &Launch<'c, 'a>,
    values: [Value<'c, 'a>; 2],
) -> typed::Call<'c, 'a> {
    let result = [values[0].ty()];
    typed::Call::create(e, combiner.combine, &values, &launch.owned, &result)
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
    llvm_type::r#struct(e.context(), &fields, false)
}

/// The address of a part's slots.
fn row<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    slots: Value<'c, 'a>,
    part: Value<'c, 'a>,
    count: usize,
) -> Value<'c, 'a> {
    let bytes = e.bin(
        arith::MulI::NAME,
        part,
        e.i64(i64::from(SLOT) * count as i64),
    );
    e.offset(slots, bytes, e.i(8))
}
