//! What `getattr` and `hasattr` find in modules and classes, where they ask for a constant name.
//!
//! The host binds what such a call may give as it binds what is behind a dot, and notes which attributes
//! aren't there.

use super::bindings::{Bindings, asked_symbol, erase_known};
use crate::infra::{AttributeExt, Builder, ops::py};
use melior::ir::{attribute::BoolAttribute, operation::OperationLike};

/// Replaces a call of `getattr` or `hasattr` whose answer is known: by the attribute that the dot gives, the
/// default, or a truth value.
pub(super) fn settle<'c: 'a, 'a>(
    bindings: &Bindings<'c, 'a>,
    builder: &Builder<'c, 'a>,
    call: py::Call<'c, 'a>,
) {
    let name = bindings.name_of(call.callee());
    let arguments = call.args();
    let is_asked = match name.as_deref() {
        Some("builtins.hasattr") => true,
        Some("builtins.getattr") => false,
        _ => return,
    };
    let [object, attribute, default @ ..] = arguments.as_slice() else {
        return;
    };
    let constant = py::Constant::defining(*attribute).map(|constant| constant.value());
    let Some(text) = constant.and_then(AttributeExt::string_value) else {
        return;
    };
    let builder = builder.before(*call).at(call.location());
    let found = py::GetAttr::create(builder, *object, text);
    let is_missing = bindings.lacks(found);
    let is_known = asked_symbol(call).is_some_and(|symbol| bindings.binding(&symbol).is_some());
    let answer = match default {
        [] if is_asked && (is_missing || is_known) => {
            let answer = BoolAttribute::new(builder.context(), !is_missing).into();
            Some(py::Constant::create(builder, answer).result())
        }
        [] | [_] if !is_asked && is_known && !is_missing => Some(found.result()),
        [] if !is_asked && is_missing => Some(found.result()),
        [default] if !is_asked && is_missing => Some(*default),
        _ => None,
    };
    if let Some(answer) = answer {
        builder.replace_op(*call, &[answer]);
        erase_known(
            [found.result()]
                .into_iter()
                .chain(arguments.iter().copied()),
        );
    } else {
        builder.erase_op(*found);
    }
}
