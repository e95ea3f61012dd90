//! Exceptions as values: the id of the site that raised them, and the owner of their arguments.
//!
//! While an exception propagates, its id is the status and its owner the first word of the error
//! record's payload, null for an exception without arguments. The owner's memory holds first the
//! owners that arguments refer to, then the arguments in slots. The cause of the exception is the
//! last argument: a slot with its id, and its owner among the owners.

use super::{raising::Function, sites::Sites};
use crate::{
    infra::{
        AttributeExt, BlockExt, CmpInt, OperationAttributes, OperationExt, PassResult, ValueExt,
        ops::{arith, llvm, marks, typed},
    },
    lowering::{emit::Emit, slots::Slots, types},
    types::{exception_classes, layout::slot_count},
};
use melior::ir::{Type, Value, attribute::StringAttribute, operation::OperationLike};
use pyopt_dialects::typed::TypedType;

/// Bytes between an owner and its data.
const HEADER: i32 = 64;

/// The class that the host raises for a status that isn't the id of a site: threads could not be
/// started.
const FOREIGN: &str = "RuntimeError";

/// The status of an exception that the host raised, whose object the owner holds.
const STATUS_HOST: i64 = i32::MAX as i64;

impl<'c, 'a> Function<'_, 'c, 'a> {
    /// Makes an exception: allocates memory for its arguments.
    pub(in crate::lowering) fn rewrite_exception(
        &self,
        operation: typed::Exception<'c, 'a>,
        sites: &mut Sites<'c>,
    ) -> PassResult {
        let e = &self.emit;
        let class = operation.exception();
        let types = operation.array_attr(marks::TYPES).unwrap_or_default();
        if types.is_empty() {
            let id = sites.add(*operation, self.name, class, operation.message());
            e.before(*operation);
            e.replace_op(*operation, &[e.int(e.i(32), id), e.zero(e.ptr())]);
            return Ok(());
        }
        let message = operation.message();
        let id = sites.add_with_arguments(*operation, self.name, class, message, &types);
        let no_memory = StringAttribute::new(e.context(), "MemoryError").into();
        let no_memory = sites.add(*operation, self.name, no_memory, None);
        let types: Vec<_> = types.into_iter().filter_map(|ty| ty.type_value()).collect();
        let operands = operation.arguments();
        let parts = |ty: &Type<'c>| types::convert(e.context(), *ty).map_or(0, |parts| parts.len());
        let (values, owners) = operands.split_at(types.iter().map(parts).sum());
        let count: usize = types.iter().map(|ty| slots_of(*ty)).sum();

        e.before(*operation);
        let before = e.block();
        let rest = e.split_block(*operation);
        let region = operation.required("region", before.region())?;
        let location = operation.location();
        let status = rest.push_argument(e.i(32), location);
        let payload = rest.push_argument(e.ptr(), location);
        let fill = e.append_block(region, &[]);
        e.at_end(before).at(location);
        let numbers = [e.i64(owners.len() as i64), e.i64(8 * count as i64)];
        let owner = e.call_value("pyopt_alloc_holder", &numbers, e.ptr());
        let null = e.zero(e.ptr());
        let address = e.to(llvm::PtrToInt::NAME, owner, e.i(64));
        let failed = e.cmpi(CmpInt::Eq, address, e.i64(0));
        let none = [e.int(e.i(32), no_memory), null];
        e.branch_if(failed, true, (rest, &none), (fill, &[]));

        e.at_end(fill).at(location);
        let data = e.offset_by(owner, HEADER, e.i(8));
        for (at, held) in (0..).zip(owners) {
            e.call("pyopt_acquire", &[*held], &[]);
            e.store(*held, e.offset_by(data, at, e.ptr()), None);
        }
        let start = e.offset_by(data, owners.len() as i32, e.ptr());
        let mut slots = Slots::new(e, start);
        let mut values = values;
        for ty in &types {
            let (own, others) = values.split_at(parts(ty));
            let written = match TypedType::from(*ty) {
                TypedType::Exception => slots.write(e.i(32), &own[..1]),
                _ => slots.write(*ty, own),
            };
            operation.required("argument types that cross the border", written)?;
            values = others;
        }
        e.branch(rest, &[e.int(e.i(32), id), owner]);
        e.before(*operation);
        e.replace_op(*operation, &[status, payload]);
        Ok(())
    }

    /// Converts a `typed.try_call` to the calling convention. Its resulting owners are released on
    /// all paths, so they are null where it raised.
    pub(in crate::lowering) fn rewrite_try_call(
        &self,
        operation: typed::TryCall<'c, 'a>,
        raises: bool,
    ) {
        let e = &self.emit;
        let callee = operation.callee();
        let mut inputs = operation.inputs();
        let results = operation.results();
        let types: Vec<_> = results.iter().map(|result| result.ty()).collect();
        e.before(*operation);
        let values = match self.error.filter(|_| raises) {
            Some(error) => {
                inputs.push(error);
                let types = [&[e.i(32)], &types[..]].concat();
                let values = e.call_symbol(callee, &inputs, &types).result_values();
                let failed = e.cmpi(CmpInt::Ne, values[0], e.int(e.i(32), 0));
                let null = e.zero(e.ptr());
                let known = values[1..].iter().map(|value| match value.ty() == e.ptr() {
                    true => e.select(failed, null, *value),
                    false => *value,
                });
                [values[0]].into_iter().chain(known).collect()
            }
            None => {
                let status = e.int(e.i(32), 0);
                let results = e.call_symbol(callee, &inputs, &types).result_values();
                [&[status], &results[..]].concat()
            }
        };
        e.replace_op(*operation, &values);
    }

    /// Takes an exception out of the error record and resets the record. The trace of calls that
    /// the exception passed through comes along, this function's call included.
    pub(in crate::lowering) fn rewrite_catch(
        &self,
        operation: typed::Catch<'c, 'a>,
        sites: &mut Sites<'c>,
    ) {
        let e = &self.emit;
        e.before(*operation);
        let payload = match self.error {
            None => e.zero(e.ptr()),
            Some(error) => {
                let site = e.i64(sites.add_call(*operation, self.name));
                e.call_value("pyopt_catch", &[error, site], e.ptr())
            }
        };
        e.replace_op(*operation, &[operation.status(), payload]);
    }

    /// Turns a check that raises an exception into a branch to a block that leaves with its status.
    pub(in crate::lowering) fn rewrite_raise_value(&self, operation: typed::RaiseValueIf<'c, 'a>) {
        let Some(error) = self.error else {
            return;
        };
        let e = &self.emit;
        let exception = operation.exception();
        let (status, payload) = (exception[0], exception[1]);
        e.before(*operation);
        let (condition, owned) = (operation.condition(), operation.owned());
        self.leave_if(*operation, condition, &owned, |e| {
            e.call("pyopt_raise", &[error, payload], &[]);
            status
        });
        e.erase_op(*operation);
    }
}

/// How many slots an argument of an exception takes: an exception's is for its id.
fn slots_of(ty: Type) -> usize {
    match TypedType::from(ty) {
        TypedType::Exception => 1,
        _ => slot_count(ty),
    }
}

/// Tests whether an exception is an instance of certain classes, by a table indexed by site; all
/// sites of the module are known. The host is asked about exceptions that it raised, where the
/// module calls it.
pub(in crate::lowering) fn rewrite_match<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    operation: typed::ExcMatch<'c, 'a>,
    sites: &Sites<'c>,
    calls_host: bool,
) {
    let classes = operation.classes().into_iter();
    let classes: Vec<_> = classes.filter_map(|c| c.string_value()).collect();
    let matches = |names: &[&str]| {
        classes
            .iter()
            .any(|of| exception_classes::is_instance(names, of))
    };
    let table: Vec<_> = [vec![FOREIGN]]
        .into_iter()
        .chain(sites.classes())
        .map(|names| u8::from(matches(&names)))
        .collect();
    let exception = operation.exception();
    let status = exception[0];
    e.before(*operation);
    let mut found = look_up(e, status, table);
    if calls_host {
        let names = classes.join("\n").into_bytes();
        let length = e.i64(names.len() as i64);
        let arguments = [status, exception[1], e.data(names), length];
        let own = e.call_value("pyopt_exception_matches", &arguments, e.i(32));
        let own = e.cmpi(CmpInt::Ne, own, e.int(e.i(32), 0));
        let is_own = e.cmpi(CmpInt::Eq, status, e.int(e.i(32), STATUS_HOST));
        found = e.select(is_own, own, found);
    }
    e.replace_op(*operation, &[found]);
}

/// The table's entry for a status; that at 0 for a status that isn't the id of a site.
fn look_up<'c, 'a>(e: &Emit<'_, 'c, 'a>, status: Value<'c, 'a>, table: Vec<u8>) -> Value<'c, 'a> {
    let known = e.cmpi(CmpInt::Ult, status, e.int(e.i(32), table.len() as i64));
    let index = e.select(known, status, e.int(e.i(32), 0));
    let index = e.to(arith::ExtUI::NAME, index, e.i(64));
    let address = e.offset(e.data(table), index, e.i(8));
    let byte = e.load(address, e.i(8), None);
    e.cmpi(CmpInt::Ne, byte, e.int(e.i(8), 0))
}
