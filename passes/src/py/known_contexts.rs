//! Context managers that the compiler knows: calls take the place of objects.

use crate::infra::{Builder, OperationExt, ValueExt, ops::py};
use melior::ir::{Value, attribute::BoolAttribute, operation::OperationLike};
use pyopt_dialects::py::PyAttribute;

/// Puts what `leave` makes in the place of all that leaves a context; exceptions go on.
pub(super) fn replace_exits<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    enter: py::EnterContext<'c, 'a>,
    leave: &dyn Fn() -> Value<'c, 'a>,
) {
    for user in enter.exit().users() {
        builder.before(user).at(user.location());
        let left = leave();
        let value = match user.isa::<py::WithExceptStart>() {
            true => {
                let goes_on = BoolAttribute::new(builder.context(), false).into();
                py::Constant::create(builder, goes_on).result()
            }
            false => left,
        };
        builder.replace_op(user, &[value]);
    }
}

/// Replaces entering a context by `entered`, in the place of the way out; what it gives is None.
pub(super) fn replace_entry<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    enter: py::EnterContext<'c, 'a>,
    entered: Value<'c, 'a>,
) {
    builder.before(*enter).at(enter.location());
    let none = PyAttribute::None.to_attribute(builder.context());
    let nothing = py::Constant::create(builder, none).result();
    builder.replace_op(*enter, &[entered, nothing]);
}
