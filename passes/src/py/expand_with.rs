//! `py-expand-with`: entering and leaving contexts become calls of methods.
//!
//! An exception that leaves the block is passed as itself and in the place of its class: nothing is known of
//! classes at run time, so that asking whether there is one is all that can be done with that argument.
//! There is no traceback.

use crate::infra::{
    Builder, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec, ValueExt, ops::py,
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use pyopt_dialects::py::PyAttribute;

/// `with manager:`.
pub static PASS: PassSpec = PassSpec {
    description: "Entering a context becomes a call of the manager's `__enter__`, and leaving it one of \
                  its `__exit__`: with None three times, or with the exception.",
    dialects: &["py"],
    statistics: &[StatisticSpec::new("expanded", "contexts that became calls")],
    ..PassSpec::new(
        "py-expand-with",
        "make calls of methods of context managers",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), root);
    for enter in root.nested_ops::<py::EnterContext>() {
        // Where the way out is a value that goes on, the statement is refused as a whole.
        if is_left_by_calls(enter) {
            expand(&builder, enter);
            cx.bump("expanded", 1);
        }
    }
    Ok(())
}

fn is_left_by_calls<'c: 'a, 'a>(enter: py::EnterContext<'c, 'a>) -> bool {
    enter.exit().users().into_iter().all(|user| {
        user.isa::<py::WithExceptStart>()
            || py::Call::of(user).is_some_and(|call| call.callee() == enter.exit())
    })
}

fn expand<'c: 'a, 'a>(builder: &Builder<'c, 'a>, enter: py::EnterContext<'c, 'a>) {
    let manager = enter.manager();
    let call = |name, arguments: &[Value<'c, 'a>]| {
        let method = py::GetAttr::create(builder, manager, name).result();
        py::Call::create(builder, method, arguments).result()
    };
    for user in enter.exit().users() {
        builder.before(user).at(user.location());
        let left = match py::WithExceptStart::of(user) {
            Some(start) => {
                let none = PyAttribute::None.to_attribute(builder.context());
                let none = py::Constant::create(builder, none).result();
                call("__exit__", &[start.exception(), start.exception(), none])
            }
            None => {
                let given = py::Call::of(user).map(|call| call.args());
                call("__exit__", &given.unwrap_or_default())
            }
        };
        builder.replace_op(user, &[left]);
    }
    builder.before(*enter).at(enter.location());
    let value = call("__enter__", &[]);
    builder.replace_op(*enter, &[manager, value]);
}
