//! Prints footprints and what aliases.

use super::{names, tagged, tagged_values};
use crate::{
    analysis::effects::{Footprint, may_alias},
    infra::{PassContext, PassResult, PassSpec, Raises, ValueExt, ops::func},
};
use melior::ir::{OperationRef, operation::OperationLike};
use pyopt_dialects::typed::array_type;

/// The `test-print-effects` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Reports the footprint of each operation with a `tag`, what is inside of it \
                  included: the arrays read and written, and what it raises. Of each pair of tagged \
                  arrays it says whether they may alias.",
    anchor: func::Func::NAME,
    ..PassSpec::new("test-print-effects", "print effects and aliases", run)
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    for (operation, tag) in tagged(root) {
        let footprint = Footprint::of(operation);
        let mut parts = Vec::new();
        if footprint.unknown {
            parts.push("has unknown effects".into());
        }
        for (verb, arrays) in [("reads", &footprint.reads), ("writes", &footprint.writes)] {
            if !arrays.is_empty() {
                parts.push(format!("{verb} {}", names(arrays)));
            }
        }
        match footprint.raises {
            Raises::Nothing => {}
            Raises::Shape => parts.push("raises errors of shapes".into()),
            Raises::Anything => parts.push("raises".into()),
        }
        if parts.is_empty() {
            parts.push("has no effect".into());
        }
        cx.remark(
            operation.location(),
            format!("'{tag}' {}", parts.join(", ")),
        );
    }
    let mut arrays = tagged_values(root);
    arrays.retain(|(value, _)| array_type(value.ty()).is_some());
    for (at, (one, tag)) in arrays.iter().enumerate() {
        for (other, before) in &arrays[..at] {
            let verdict = match may_alias(*one, *other) {
                true => "may alias",
                false => "doesn't alias",
            };
            let operation = one.defining_op().expect("a result was tagged");
            cx.remark(
                operation.location(),
                format!("'{tag}' {verdict} '{before}'"),
            );
        }
    }
    Ok(())
}
