//! An extension that is loaded into a running process: `x * 2.0` becomes `x + x`, which is the same number.

use melior::ir::operation::{
    OperationLike, OperationMutLike, OperationRefMut, OperationResult, WalkOrder, WalkResult,
};
use melior::ir::{Attribute, OperationRef};

pyopt_plugin::plugin! {
    name: "doubling",
    irdl: "",
    passes: [("doubling", "func.func", "products with two become sums", run)],
    at: [("after:typed-rewrite", "doubling")],
    modules: ["doubled"],
}

fn run(function: OperationRef) -> Result<(), String> {
    let context = function.context();
    // SAFETY: the process keeps the context through the pass.
    let add = Attribute::parse(unsafe { context.to_ref() }, "#typed<binary_kind add>");
    let add = add.ok_or("this isn't the compiler that the pass was written for")?;
    function.walk(WalkOrder::PreOrder, |operation| {
        if let (true, Ok(doubled)) = (is_doubling(operation), operation.operand(0)) {
            // SAFETY: nothing else looks at the operation meanwhile.
            let mut operation = unsafe { OperationRefMut::from_raw(operation.to_raw()) };
            operation.set_attribute("kind", add);
            operation.set_operand(1, doubled);
        }
        WalkResult::Advance
    });
    Ok(())
}

fn is_doubling(operation: OperationRef) -> bool {
    let name = |operation: OperationRef| operation.name().as_string_ref().as_str().map(str::to_owned);
    if name(operation).as_deref() != Ok("typed.binary") {
        return false;
    }
    let factor = operation.operand(1).ok().and_then(|value| OperationResult::try_from(value).ok());
    let factor = factor.map(|result| result.owner());
    let is_two = |constant: OperationRef| {
        let value = constant.attribute("value").map(|value| value.to_string());
        name(constant).as_deref() == Ok("typed.constant") && value.as_deref() == Ok("2.000000e+00 : f64")
    };
    let kind = operation.attribute("kind").map(|kind| kind.to_string());
    kind.as_deref() == Ok("#typed<binary_kind mul>") && factor.is_some_and(is_two)
}
