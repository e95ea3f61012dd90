//! Error propagation: which functions may raise, and the status codes they return.

use super::{object::is_host_function, sites::Sites};
use crate::{
    infra::{
        BlockExt, Builder, CmpInt, Identity, Key, OperationAttributes, OperationExt, PassResult,
        RegionExt,
        ops::{AnyOp, arith, func, llvm, marks, parfor, typed},
    },
    lowering::{
        control_flow::make_internal, emit::Emit, externals::Externals,
        typed_to_memref::FUNCTION_PREFIX,
    },
};
use melior::{
    Context,
    ir::{
        BlockRef, OperationRef, RegionRef, Type, Value,
        attribute::{ArrayAttribute, StringAttribute, TypeAttribute},
        operation::OperationLike,
        r#type::{FunctionType, IntegerType},
    },
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, HashMap},
};

/// Number of call sites that the error record has room for.
pub(super) const MAX_SITES: i64 = 30;

/// The offset of the stack limit in the error record, in 8-byte fields: behind the depth, the sites
/// and the payload.
const STACK_LIMIT: i32 = 1 + MAX_SITES as i32 + 4;

/// The function that appends a call site to the trace in the error record.
const TRACE: &str = "pyopt.trace";

/// The functions with a body, in order.
pub(in crate::lowering) fn functions<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
) -> Vec<func::Func<'c, 'a>> {
    let mut functions = module.nested_ops::<func::Func>();
    functions.retain(|function| !function.body().is_empty());
    functions
}

/// The functions that may raise, directly or through calls.
pub(in crate::lowering) fn raising_functions(module: OperationRef) -> BTreeSet<String> {
    let mut calls = BTreeMap::new();
    let mut raising = BTreeSet::new();
    for function in functions(module) {
        let name = function.sym_name();
        let mut callees = BTreeSet::new();
        if is_host_function(function) {
            raising.insert(name.to_owned());
        }
        for operation in function.pre_order() {
            match AnyOp::of(operation) {
                // A launch fails without threads, what a device does without room for it; the limit
                // of the stack is in the error record.
                AnyOp::Parfor(
                    parfor::Op::Launch(_)
                    | parfor::Op::Offload(_)
                    | parfor::Op::Fence(_)
                    | parfor::Op::EnterDevice(_)
                    | parfor::Op::LeaveDevice(_),
                )
                | AnyOp::Typed(
                    typed::Op::RaiseIf(_)
                    | typed::Op::RaiseValueIf(_)
                    | typed::Op::StackExhausted(_),
                ) => {
                    raising.insert(name.to_owned());
                }
                // What catches all that its callees raise has to have an error record for them.
                AnyOp::Typed(typed::Op::Call(call)) => {
                    callees.insert(call.callee().to_owned());
                }
                AnyOp::Typed(typed::Op::TryCall(call)) => {
                    callees.insert(call.callee().to_owned());
                }
                _ => {}
            }
        }
        calls.insert(name.to_owned(), callees);
    }

    loop {
        let found: Vec<_> = calls
            .iter()
            .filter(|(name, callees)| !raising.contains(*name) && !callees.is_disjoint(&raising))
            .map(|(name, _)| name.clone())
            .collect();
        if found.is_empty() {
            return raising;
        }
        raising.extend(found);
    }
}

/// A function under conversion to status codes.
pub(in crate::lowering) struct Function<'x, 'c, 'a> {
    pub emit: Emit<'x, 'c, 'a>,
    /// The name in tracebacks.
    pub name: &'c str,
    /// The error record, when the function may raise.
    pub error: Option<Value<'c, 'a>>,
    /// The types of the results that follow the status.
    pub results: Vec<Type<'c>>,
    /// How many contexts of devices there were on entry, if the function may enter some.
    contexts: Option<Value<'c, 'a>>,
    /// The blocks that release an owner with all before it in a list, and return their argument.
    cleanups: RefCell<Cleanups<'c, 'a>>,
}

/// Shared blocks by the one that follows and the owner that each releases.
#[derive(Default)]
struct Cleanups<'c, 'a> {
    end: Option<BlockRef<'c, 'a>>,
    by_owner: HashMap<(Key, Key), BlockRef<'c, 'a>>,
}

/// A way out that does more than this, releases and results together, shares its code with others:
/// each of many ways out releases nearly the same many owners.
const OWN_WAY_OUT: usize = 16;

impl<'x, 'c, 'a> Function<'x, 'c, 'a> {
    /// Gives a function its new signature: one that may raise gets the error record as last
    /// argument and the status as first result.
    pub(in crate::lowering) fn new(
        builder: &'x Builder<'c, 'a>,
        externals: &'x Externals<'c>,
        function: func::Func<'c, 'a>,
        raises: bool,
    ) -> PassResult<Self> {
        let emit = Emit::new(builder, externals);
        make_internal(emit.context(), function);
        let r#type = FunctionType::try_from(function.function_type())?;
        let results: Vec<_> = results(r#type);
        let mut error = None;
        if raises {
            let mut inputs = inputs(r#type);
            inputs.push(emit.ptr());
            let with_status = [&[emit.i(32)], &results[..]].concat();
            let changed = FunctionType::new(emit.context(), &inputs, &with_status);
            function.set_function_type(changed.into());
            if let Some(block) = function.body().entry() {
                error = Some(block.push_argument(emit.ptr(), function.location()));
            }
        }
        Ok(Self {
            emit,
            name: {
                let name = function.str_attr(marks::FUNCTION);
                let name = name.unwrap_or_else(|| function.sym_name());
                name.strip_prefix(FUNCTION_PREFIX).unwrap_or(name)
            },
            error,
            results,
            contexts: None,
            cleanups: RefCell::default(),
        })
    }

    /// Has an exception that leaves the function leave the contexts of devices that it has entered, too: not
    /// all exceptions go through the handlers that leave them.
    pub(in crate::lowering) fn leave_contexts(&mut self, function: func::Func<'c, 'a>) {
        let e = &self.emit;
        if let Some(first) = function.body().entry().and_then(BlockExt::first) {
            e.before(first).at(function.location());
            self.contexts = Some(e.call_value("pyopt_device_depth", &[], e.i(64)));
        }
    }

    /// Returns success with the values.
    pub(in crate::lowering) fn rewrite_return(&self, operation: func::Return<'c, 'a>) {
        if self.error.is_none() {
            return;
        }
        let e = &self.emit;
        e.before(*operation);
        let operands = [&[e.int(e.i(32), 0)], &operation.operands()[..]].concat();
        func::Return::create(e, &operands);
        e.erase_op(*operation);
    }

    /// Converts a check to a branch to a block that returns the site's id.
    pub(in crate::lowering) fn rewrite_raise(
        &self,
        operation: typed::RaiseIf<'c, 'a>,
        sites: &mut Sites<'c>,
    ) {
        let e = &self.emit;
        let (exception, message) = (operation.exception(), operation.message());
        let values = operation.values();
        let word = TypeAttribute::new(IntegerType::signed(e.context(), 64).into()).into();
        let types = vec![word; values.len()];
        let id = sites.add_with_arguments(*operation, self.name, exception, message, &types);

        e.before(*operation);
        let (condition, owned) = (operation.condition(), operation.owned());
        self.leave_if(*operation, condition, &owned, |e| {
            self.hold(&values);
            e.int(e.i(32), id)
        });
        e.erase_op(*operation);
    }

    /// Makes the values of a message the arguments of the exception in the error record. They are
    /// stored in place of call sites, of which there are none yet: a way out is a few stores and a
    /// call, and what the runtime has no room for is missing in the message.
    fn hold(&self, values: &[Value<'c, 'a>]) {
        let Some(error) = self.error.filter(|_| !values.is_empty()) else {
            return;
        };
        let e = &self.emit;
        for (at, value) in (1..=MAX_SITES as i32).zip(values) {
            e.store(*value, e.offset_by(error, at, e.i(64)), None);
        }
        e.call("pyopt_hold", &[error, e.i64(values.len() as i64)], &[]);
    }

    /// Compares the address of the stack with the limit that the host put into the error record.
    pub(in crate::lowering) fn rewrite_stack_exhausted(
        &self,
        operation: typed::StackExhausted<'c, 'a>,
    ) {
        let Some(error) = self.error else {
            return;
        };
        let e = &self.emit;
        e.before(*operation);
        let limit = e.load(e.offset_by(error, STACK_LIMIT, e.i(64)), e.i(64), None);
        let stack = e.intrinsic_value("llvm.stacksave.p0", &[], e.ptr());
        let stack = e.to(llvm::PtrToInt::NAME, stack, e.i(64));
        let exhausted = e.cmpi(CmpInt::Ult, stack, limit);
        e.replace_op(*operation, &[exhausted]);
    }

    /// Converts a call to the calling convention.
    pub(in crate::lowering) fn rewrite_call(
        &self,
        operation: typed::Call<'c, 'a>,
        raises: bool,
        sites: &mut Sites<'c>,
    ) {
        let e = &self.emit;
        let callee = operation.callee();
        let results = operation.result_types();
        let inputs = operation.inputs();
        e.before(*operation);
        let Some(error) = self.error.filter(|_| raises) else {
            let call = e.call_symbol(callee, &inputs, &results);
            e.replace_op(*operation, &call.result_values());
            return;
        };

        let inputs = [&inputs[..], &[error]].concat();
        let types = [&[e.i(32)], &results[..]].concat();
        let values = e.call_symbol(callee, &inputs, &types).result_values();
        let failed = e.cmpi(CmpInt::Ne, values[0], e.int(e.i(32), 0));
        let id = sites.add_call(*operation, self.name);
        self.leave_if(*operation, failed, &operation.owned(), |_| {
            self.trace(id);
            values[0]
        });
        e.replace_op(*operation, &values[1..]);
    }

    /// Notes a site that an exception comes through.
    pub(in crate::lowering) fn trace(&self, site: i64) {
        let e = &self.emit;
        if let Some(error) = self.error {
            e.call_symbol(TRACE, &[error, e.i64(site)], &[]);
        }
    }

    /// Branches, before an operation, to a block that releases owners and returns a status.
    pub(in crate::lowering) fn leave_if(
        &self,
        operation: OperationRef<'c, 'a>,
        condition: Value<'c, 'a>,
        owned: &[Value<'c, 'a>],
        status: impl FnOnce(&Emit<'x, 'c, 'a>) -> Value<'c, 'a>,
    ) {
        let e = &self.emit;
        let before = e.block();
        let rest = e.split_block(operation);
        let Some(region) = before.region() else {
            return;
        };
        let location = operation.location();
        e.at(location);
        let leave = e.append_block(region, &[]);
        let status = status(e);
        if owned.len() + self.results.len() > OWN_WAY_OUT {
            let shared = self.cleanup(region, owned);
            e.at_end(leave);
            e.branch(shared, &[status]);
        } else {
            for owner in owned {
                e.call("pyopt_release", &[*owner], &[]);
            }
            self.fail(status);
        }

        e.at_end(before).at(location);
        e.branch_if(condition, true, (leave, &[]), (rest, &[]));
        e.before(operation);
    }

    /// Returns a status that isn't success.
    fn fail(&self, status: Value<'c, 'a>) {
        let e = &self.emit;
        if let Some(depth) = self.contexts {
            e.call("pyopt_device_leave_to", &[depth], &[]);
        }
        let mut values = vec![status];
        values.extend(self.results.iter().map(|r#type| e.poison(*r#type)));
        func::Return::create(e, &values);
    }

    /// The block that releases owners, the last one first, and returns its argument. Lists that
    /// start alike share what releases that start.
    fn cleanup(&self, region: RegionRef<'c, 'a>, owned: &[Value<'c, 'a>]) -> BlockRef<'c, 'a> {
        let e = &self.emit;
        let mut cleanups = self.cleanups.borrow_mut();
        let mut next = *cleanups.end.get_or_insert_with(|| {
            let end = e.append_block(region, &[e.i(32)]);
            self.fail(end.argument_value(0));
            end
        });
        for owner in owned {
            let key = (next.key(), owner.key());
            next = *cleanups.by_owner.entry(key).or_insert_with(|| {
                let block = e.append_block(region, &[e.i(32)]);
                e.call("pyopt_release", &[*owner], &[]);
                e.branch(next, &[block.argument_value(0)]);
                block
            });
        }
        next
    }
}

/// The argument types of a function type.
pub(in crate::lowering) fn inputs<'c>(r#type: FunctionType<'c>) -> Vec<Type<'c>> {
    (0..r#type.input_count())
        .filter_map(|index| r#type.input(index).ok())
        .collect()
}

/// The result types of a function type.
pub(in crate::lowering) fn results<'c>(r#type: FunctionType<'c>) -> Vec<Type<'c>> {
    (0..r#type.result_count())
        .filter_map(|index| r#type.result(index).ok())
        .collect()
}

/// Defines the function that appends a call site to the error record, while there is room, and
/// counts it.
pub(in crate::lowering) fn define_trace<'c: 'a, 'a>(
    context: &'c Context,
    e: &Emit<'_, 'c, 'a>,
    module: OperationRef<'c, 'a>,
) {
    let r#type = FunctionType::new(context, &[e.ptr(), e.i(64)], &[]);
    let (function, arguments) = e.define(module, TRACE, r#type);
    // Inlined, its code would only push apart the code that runs when nothing is raised.
    let never_inline = ["noinline", "cold"].map(|name| StringAttribute::new(context, name).into());
    function.set_attr("passthrough", ArrayAttribute::new(context, &never_inline));
    let [error, site] = arguments[..] else {
        return;
    };
    let region = function.body();
    let entry = e.block();
    let store = e.append_block(region, &[]);
    let done = e.append_block(region, &[]);

    e.at_end(entry);
    let depth = e.load(error, e.i(64), None);
    e.store(e.bin(arith::AddI::NAME, depth, e.i64(1)), error, None);
    let room = e.cmpi(CmpInt::Ult, depth, e.i64(MAX_SITES));
    e.branch_if(room, false, (store, &[]), (done, &[]));
    e.at_end(store);
    let sites = e.offset_by(error, 1, e.i(64));
    e.store(site, e.offset(sites, depth, e.i(64)), None);
    e.branch(done, &[]);
    e.at_end(done);
    func::Return::create(e, &[]);
}
