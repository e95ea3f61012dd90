//! Exceptions as values: the id of the site that made them, and the owner of their arguments.
//!
//! On its way out of a function an exception is the status; the owner is the first word of the
//! error record's payload, null for an exception without arguments.

use super::{
    raising::{Function, MAX_SITES},
    sites::Sites,
};
use crate::{
    exceptions::is_subclass,
    infra::{AttributeExt, CmpInt, OperationAttributes, OperationExt, PassResult, ValueExt},
    lowering::{
        emit::Emit,
        operations::{ARGUMENT_TYPES, segment_sizes},
        slots::Slots,
    },
};
use melior::ir::{OperationRef, Value};

/// Where the error record has the owner of the exception's arguments, in 8-byte fields: behind the
/// depth and the sites.
const PAYLOAD: i32 = 1 + MAX_SITES as i32;

/// Bytes between an owner and its data.
const HEADER: i32 = 64;

/// The class that the host raises for a status that is no site's: threads could not be started.
const FOREIGN: &str = "RuntimeError";

/// The status of an exception of the host's, whose object is the owner's.
const STATUS_HOST: i64 = i32::MAX as i64;

impl<'c, 'a> Function<'_, 'c, 'a> {
    /// Makes an exception: its arguments go to memory of their own.
    pub(in crate::lowering) fn rewrite_exception(
        &self,
        operation: OperationRef<'c, 'a>,
        sites: &mut Sites<'c>,
    ) -> PassResult {
        let e = &self.emit;
        let class = operation.required("exception", operation.str_attr("exception"))?;
        let message = operation.str_attr("message");
        let types = operation.array_attr(ARGUMENT_TYPES).unwrap_or_default();
        let id = sites.add_with_arguments(operation, self.name, class, message, &types);
        e.before(operation);
        let status = e.int(e.i(32), id);
        let payload = if types.is_empty() {
            e.zero(e.ptr())
        } else {
            let types: Vec<_> = types.into_iter().filter_map(|ty| ty.type_value()).collect();
            let count: usize = types.iter().map(|ty| Slots::count(*ty)).sum();
            let arguments = [e.i64(8 * count as i64), e.int(e.i(32), 0)];
            let owner = e.call_value("pyopt_alloc", &arguments, e.ptr());
            let mut slots = Slots::new(e, e.offset_by(owner, HEADER, e.i(8)));
            let mut values = &operation.operand_values()[..];
            for ty in types {
                let parts = crate::lowering::types::convert(e.context(), ty).unwrap_or_default();
                let (own, rest) = values.split_at(parts.len());
                let written = slots.write(ty, own);
                operation.required("argument types that cross the border", written)?;
                values = rest;
            }
            owner
        };
        e.replace_op(operation, &[status, payload]);
        Ok(())
    }

    /// Turns a call whose errors are looked at into one of the new convention. The owners that it
    /// gives are released in any case, so they are null where it failed.
    pub(in crate::lowering) fn rewrite_try_call(
        &self,
        operation: OperationRef<'c, 'a>,
        raises: bool,
    ) -> PassResult {
        let e = &self.emit;
        let callee = operation.required("callee", operation.symbol_attr("callee"))?;
        let mut inputs = operation.operand_values();
        let mut types = operation.result_types();
        e.before(operation);
        let values = match self.error.filter(|_| raises) {
            Some(error) => {
                inputs.push(error);
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
                types.remove(0);
                let status = e.int(e.i(32), 0);
                let results = e.call_symbol(callee, &inputs, &types).result_values();
                [&[status], &results[..]].concat()
            }
        };
        e.replace_op(operation, &values);
        Ok(())
    }

    /// Takes an exception out of the error record, which is as new then.
    pub(in crate::lowering) fn rewrite_catch(&self, operation: OperationRef<'c, 'a>) {
        let e = &self.emit;
        e.before(operation);
        let null = e.zero(e.ptr());
        let payload = match self.error {
            None => null,
            Some(error) => {
                let field = e.offset_by(error, PAYLOAD, e.i(64));
                let payload = e.load(field, e.ptr(), None);
                e.store(null, field, None);
                e.store(e.i64(0), error, None);
                payload
            }
        };
        e.replace_op(operation, &[operation.operand_value(0), payload]);
    }

    /// Turns a check that raises an exception into a branch to a block that leaves with its status.
    pub(in crate::lowering) fn rewrite_raise_value(&self, operation: OperationRef<'c, 'a>) {
        let Some(error) = self.error else {
            return;
        };
        let e = &self.emit;
        let operands = operation.operand_values();
        let first_owned = segment_sizes(operation)[..2].iter().sum();
        let owned = &operands[first_owned..];
        let (status, payload) = (operands[1], operands[2]);
        e.before(operation);
        self.leave_if(operation, operands[0], owned, |e| {
            e.call("pyopt_acquire", &[payload], &[]);
            e.store(payload, e.offset_by(error, PAYLOAD, e.i(64)), None);
            status
        });
        e.erase_op(operation);
    }
}

/// Looks up in a table by site whether an exception is of certain classes. All sites are known. The
/// host is asked about its own exceptions, where the module calls it.
pub(in crate::lowering) fn rewrite_match<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    operation: OperationRef<'c, 'a>,
    sites: &Sites<'c>,
    calls_host: bool,
) -> PassResult {
    let classes = operation.required("classes", operation.array_attr("classes"))?;
    let classes: Vec<_> = classes
        .into_iter()
        .filter_map(|c| c.string_value())
        .collect();
    let matches = |class: &str| classes.iter().any(|of| is_subclass(class, of));
    let table: Vec<_> = [FOREIGN]
        .into_iter()
        .chain(sites.classes())
        .map(|class| u8::from(matches(class)))
        .collect();
    let status = operation.operand_value(0);
    e.before(operation);
    let mut found = look_up(e, status, table);
    if calls_host {
        let names = classes.join("\n").into_bytes();
        let length = e.i64(names.len() as i64);
        let arguments = [status, operation.operand_value(1), e.data(names), length];
        let own = e.call_value("pyopt_exception_matches", &arguments, e.i(32));
        let own = e.cmpi(CmpInt::Ne, own, e.int(e.i(32), 0));
        let is_own = e.cmpi(CmpInt::Eq, status, e.int(e.i(32), STATUS_HOST));
        found = e.select(is_own, own, found);
    }
    e.replace_op(operation, &[found]);
    Ok(())
}

/// What a table holds for a status; for a status that is no site's, what it holds at 0.
fn look_up<'c, 'a>(e: &Emit<'_, 'c, 'a>, status: Value<'c, 'a>, table: Vec<u8>) -> Value<'c, 'a> {
    let known = e.cmpi(CmpInt::Ult, status, e.int(e.i(32), table.len() as i64));
    let index = e.select(known, status, e.int(e.i(32), 0));
    let index = e.to("arith.extui", index, e.i(64));
    let address = e.offset(e.data(table), index, e.i(8));
    let byte = e.load(address, e.i(8), None);
    e.cmpi(CmpInt::Ne, byte, e.int(e.i(8), 0))
}
