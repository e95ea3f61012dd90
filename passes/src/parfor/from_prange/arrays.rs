//! Reductions of arrays that are defined outside of a loop: `acc += row`.

use super::operators::elementwise;
use crate::{
    analysis::effects::{Footprint, Origin, any_alias},
    infra::{
        OperationExt, OperationInterfaces, ValueExt,
        ops::{AnyOp, func, scf, typed},
    },
};
use melior::ir::{OperationRef, Value};
use pyopt_dialects::{enums::CombineKind, typed::array_type};

/// An array that is reduced in place.
#[derive(Clone, Copy, Debug)]
pub(super) struct InPlace<'c, 'a> {
    /// The array.
    pub array: Value<'c, 'a>,
    /// How contributions are combined.
    pub kind: CombineKind,
}

/// All arrays from outside of a loop that it assigns to as a whole; an error with the reason if one
/// of them isn't reduced by that.
pub(super) fn in_place<'c: 'a, 'a>(
    operation: scf::For<'c, 'a>,
) -> Result<Vec<InPlace<'c, 'a>>, String> {
    let mut found: Vec<InPlace> = Vec::new();
    for assign in operation.nested_ops::<typed::Assign>() {
        let array = assign.target();
        let outside = !array.is_inside(*operation);
        if outside && !found.iter().any(|one| one.array == array) {
            let kind = kind(operation, array)?;
            found.push(InPlace { array, kind });
        }
    }
    Ok(found)
}

/// The reduction of an array that a loop assigns to.
fn kind<'c: 'a, 'a>(
    operation: scf::For<'c, 'a>,
    array: Value<'c, 'a>,
) -> Result<CombineKind, String> {
    const SAME: &str = "every iteration assigns to the same array";
    let mut kind = None;
    let mut updates = Vec::new();
    for r#use in array.uses() {
        let user = r#use.user;
        if !user.is_within(*operation) {
            continue;
        }
        match typed::Op::of(user) {
            Some(typed::Op::Dim(_)) => {}
            Some(typed::Op::Assign(assign)) if r#use.operand == typed::Assign::TARGET_OPERAND => {
                let value = assign.value();
                let expression = typed::ArrayExpr::defining(value).ok_or(SAME)?;
                let mut operands = expression.inputs().into_iter();
                let at = operands.position(|one| one == array).ok_or(SAME)?;
                let this = elementwise(expression, at).ok_or(SAME)?;
                if operands.any(|one| one == array) || value.uses().len() != 1 {
                    return Err(SAME.to_owned());
                }
                if *kind.get_or_insert(this) != this {
                    return Err("an array is reduced by two different operators".to_owned());
                }
                updates.extend([user, *expression]);
            }
            // What becomes of it is looked at where it is assigned.
            Some(typed::Op::ArrayExpr(expression)) => {
                let updates = expression.result().uses();
                let assigned = |one: OperationRef<'c, 'a>| {
                    typed::Assign::of(one).is_some_and(|assign| assign.target() == array)
                };
                if !updates.iter().all(|one| assigned(one.user)) {
                    return Err(
                        "an array that iterations add to is used for something else".to_owned()
                    );
                }
            }
            _ => {
                return Err("an array that iterations add to is used for something else".to_owned());
            }
        }
    }
    if array_type(array.ty()).is_none_or(|array| array.rank == 0) {
        return Err(SAME.to_owned());
    }
    let private = Origin::of(array) == Origin::Fresh(array) && !escapes(array);
    for other in operation.pre_order() {
        let others: Vec<_> = if updates.contains(&other) {
            let operands = other.operand_values().into_iter();
            let made = |one: &Value<'c, 'a>| {
                updates
                    .iter()
                    .any(|update| one.defining_op() == Some(*update))
            };
            operands
                .filter(|one| *one != array && !made(one) && array_type(one.ty()).is_some())
                .collect()
        } else if other.nested_blocks().is_empty() || other.isa::<typed::ArrayExpr>() {
            used(other, private).ok_or("iterations add to an array, and call what may use it")?
        } else {
            continue;
        };
        let shares = match private {
            true => others
                .iter()
                .any(|other| Origin::of(*other) == Origin::Fresh(array)),
            false => any_alias(&[array], &others),
        };
        if shares {
            return Err(
                "iterations add to an array that may share memory with one that they use: \
                 make it in this function"
                    .to_owned(),
            );
        }
    }
    kind.ok_or_else(|| SAME.to_owned())
}

/// Whether an array, or a view of it, is an operand of anything but an operation on arrays.
fn escapes<'c: 'a, 'a>(array: Value<'c, 'a>) -> bool {
    array.uses().into_iter().any(|r#use| {
        let user = r#use.user;
        match AnyOp::of(user) {
            AnyOp::Typed(
                typed::Op::Load(_) | typed::Op::Store(_) | typed::Op::Dim(_) | typed::Op::Len(_),
            )
            | AnyOp::Func(func::Op::Return(_)) => false,
            _ if user.is_element_loop() => user.consumes_operand(r#use.operand),
            _ if user.view_source().is_some() => user.result_values().into_iter().any(escapes),
            _ => true,
        }
    })
}

/// The arrays that an operation uses; `None` where it may use any. A call uses those that it is
/// given, of the ones that nobody else knows.
fn used<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, private: bool) -> Option<Vec<Value<'c, 'a>>> {
    let footprint = Footprint::of(operation);
    if !footprint.unknown {
        return Some(
            footprint
                .reads
                .into_iter()
                .chain(footprint.writes)
                .collect(),
        );
    }
    let arrays = |operand: &Value<'c, 'a>| array_type(operand.ty()).is_some();
    let given = operation
        .operand_values()
        .into_iter()
        .filter(arrays)
        .collect();
    (private && operation.isa::<typed::Call>()).then_some(given)
}
